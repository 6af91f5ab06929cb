internal import Emulator
internal import EventLoop

/// What the demonstration does and says, step by step. Each step checks what it shows.
struct DemoShow {
    static let host = "shop.test"
    private static let url = "http://shop.test/protected/get"

    let origin: EmulatorAddresses
    let proxy: SocketAddress
    /// Holds the certificate that clients have to trust for `https://`.
    let trustedFile: String
    let loop: EventLoop

    /// True when every step came out as the text says.
    func perform() async -> Bool {
        Terminal.say("An endpoint behind AWS WAF, emulated at \(origin.http), and the proxy at \(proxy).")
        for step in [withoutProxy, throughProxy, challenged] {
            guard await step() else {
                Terminal.complain("the demonstration did not go as it should; the last answer above is the wrong one")
                return false
            }
        }
        return true
    }

    private func withoutProxy() async -> Bool {
        Terminal.say("\n1. A client asks the endpoint directly, without a token:")
        Terminal.say("   > GET /protected/get   Host: \(Self.host)")
        let answer = await DemoClient.send("GET", "/protected/get", host: Self.host, to: origin.http, on: loop)
        show(answer)
        Terminal.say("   The request was challenged; the application was not reached.")
        return answer.status == 202 && answer.field("x-amzn-waf-action") == "challenge"
    }

    private func throughProxy() async -> Bool {
        Terminal.say("\n2. The same request through the proxy, by a client that knows nothing of tokens:")
        let answer = await ask()
        Terminal.say("   The proxy had fetched a token from the issuer at \(origin.issuer) and added it as a cookie.")
        return answer.status == 200 && answer.field("x-waf-token-proxy")?.hasPrefix("token=attached; replay=0") == true
    }

    private func challenged() async -> Bool {
        Terminal.say("\n3. The endpoint declares every token so far expired, then the same request again:")
        let control = await DemoClient.send(
            "PUT", "/v1/schedule", host: "\(origin.control)", json: #"{"expireNow":true}"#, to: origin.control, on: loop
        )
        guard control.status == 200 else {
            show(control)
            return false
        }
        let answer = await ask()
        Terminal.say("   The endpoint challenged it; the proxy got a newer token and sent the request again, once.")
        return answer.status == 200 && answer.field("x-waf-token-proxy")?.hasPrefix("token=attached; replay=1") == true
    }

    private func ask() async -> DemoClient.Answer {
        Terminal.say("   > GET \(Self.url)   (http_proxy=http://\(proxy))")
        let answer = await DemoClient.send("GET", Self.url, host: Self.host, to: proxy, on: loop)
        show(answer)
        return answer
    }

    private func show(_ answer: DemoClient.Answer) {
        Terminal.say("   < \(answer.statusLine.isEmpty ? "(no answer)" : answer.statusLine)")
        for name in ["x-amzn-waf-action", "proxy-status", "x-waf-token-proxy"] {
            if let value = answer.field(name) { Terminal.say("   < \(name): \(value)") }
        }
    }

    func printLinesToPaste() {
        Terminal.say(
            """

            Both keep running until you press Ctrl-C. Try it yourself, in another terminal:

              export http_proxy=http://\(proxy) https_proxy=http://\(proxy)
              curl -i \(Self.url)
              curl -i -d hello http://shop.test/protected/post
              curl -i --cacert '\(trustedFile)' https://shop.test/protected/get
              curl -i --noproxy '*' http://\(origin.http)/protected/get        # without the proxy: challenged
              curl --noproxy '*' -X PUT -H 'Content-Type: application/json' -d '{"expireNow":true}' \\
                   http://\(origin.control)/v1/schedule                        # every token so far expires
              curl --noproxy '*' http://\(origin.control)/v1/requests          # what the endpoint saw
            """)
    }
}
