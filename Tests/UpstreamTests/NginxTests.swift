import EventLoop
import Foundation
import HTTP
import Testing
import Upstream

/// A real server on the other end.
@Suite(.timeLimit(.minutes(1)))
struct NginxTests {
    private struct Origin {
        let scratch = Scratch()
        let port = freePort()
        let securePort = freePort()
        let ca: String
        let program: Program
        let large: [UInt8]

        init() throws {
            let certificates = try TestCertificates(in: scratch)
            ca = certificates.ca
            var generator = SystemRandomNumberGenerator()
            large = (0..<1_000_000).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
            _ = FileManager.default.createFile(atPath: "\(scratch.path)/large", contents: Data(large))
            _ = scratch.write("small", "small")
            try FileManager.default.createDirectory(atPath: "\(scratch.path)/put", withIntermediateDirectories: true)
            let path = scratch.path
            let config = scratch.write(
                "nginx.conf",
                """
                daemon off; master_process off; pid \(path)/pid; error_log \(path)/error.log;
                events {}
                http {
                    access_log off; client_max_body_size 0;
                    client_body_temp_path \(path)/1; proxy_temp_path \(path)/2; fastcgi_temp_path \(path)/3;
                    uwsgi_temp_path \(path)/4; scgi_temp_path \(path)/5;
                    server {
                        listen 127.0.0.1:\(port); listen 127.0.0.1:\(securePort) ssl;
                        ssl_certificate \(path)/leaf.pem; ssl_certificate_key \(path)/leaf.key;
                        ssl_session_cache shared:s:1m; ssl_protocols TLSv1.2 TLSv1.3;
                        root \(path);
                        location /connection { return 200 $connection; }
                        location /session { return 200 $ssl_session_reused; }
                        location /head { return 200 $http_host; }
                        location /large-chunked { alias \(path)/large; chunked_transfer_encoding on; max_ranges 0; }
                        location /echo { proxy_pass http://127.0.0.1:\(port)/length; proxy_request_buffering on; }
                        location /length { return 200 $http_content_length; }
                    }
                }
                """)
            program = try Program(["nginx", "-c", config], in: path)
            #expect(waitForPort(port))
            #expect(waitForPort(securePort))
        }
    }

    @Test("a large body arrives byte for byte, plain and over TLS, and connections are used again")
    func large() async throws {
        let origin = try Origin()
        let (ca, large) = (origin.ca, origin.large)
        let ports = [(origin.port, Scheme.http), (origin.securePort, Scheme.https)]
        try await withClient({ $0.caFile = ca }) { client in
            for (port, scheme) in ports {
                var connections: Set<String> = []
                for _ in 0..<3 {
                    let answer = await client.perform(request(port: port, target: "/large", scheme: scheme))
                    #expect(answer.error == nil)
                    #expect(answer.body == large)
                    connections.insert(
                        await client.perform(request(port: port, target: "/connection", scheme: scheme)).text)
                }
                #expect(connections.count == 1)
            }
        }
    }

    @Test("uploads of every framing are counted by the origin")
    func uploads() async throws {
        let origin = try Origin()
        let port = origin.port
        try await withClient { client in
            let parts = [String](repeating: String(repeating: "p", count: 10_000), count: 300)
            let fields = [("Host", "h"), ("Content-Length", "3000000")]
            let length = await client.perform(
                request("POST", port: port, target: "/echo", fields: fields, framing: .length(3_000_000)), body: parts)
            #expect(length.text == "3000000", "\(length)")
            let chunked = await client.perform(
                request("POST", port: port, target: "/echo", framing: .chunked), body: parts)
            #expect(chunked.text == "3000000", "\(chunked)")
        }
    }

    @Test("TLS sessions are resumed on new connections of the same client")
    func session() async throws {
        let origin = try Origin()
        let (ca, port) = (origin.ca, origin.securePort)
        try await withClient({ $0.caFile = ca }) { client in
            let close = [("Host", "h"), ("Connection", "close")]
            let first = await client.perform(request(port: port, target: "/session", scheme: .https, fields: close))
            let second = await client.perform(request(port: port, target: "/session", scheme: .https, fields: close))
            #expect(first.text == ".")
            #expect(second.text == "r")
        }
    }

    @Test("a conditional request, HEAD and 404 come as nginx answers them")
    func odds() async throws {
        let origin = try Origin()
        let port = origin.port
        try await withClient { client in
            let head = await client.perform(request("HEAD", port: port, target: "/large"))
            #expect(head.status == 200)
            #expect(head.fields.contains("Content-Length: 8000000"))
            #expect(head.body.isEmpty)
            #expect(await client.perform(request(port: port, target: "/none")).status == 404)
            let host = await client.perform(request(port: port, target: "/head", fields: [("hOST", "Shop.Test")]))
            #expect(host.text == "Shop.Test")
        }
    }
}
