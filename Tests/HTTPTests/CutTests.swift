import HTTP
import Testing

/// Whatever the network does to the bytes, the result is that of the whole.
@Suite("Parsing in pieces")
struct CutTests {
    static let requests = [
        request("GET http://shop.test/a?b=c HTTP/1.1", "Host: shop.test", "Cookie: a=b; c=d", "X:", "Y: \t z \t"),
        "\r\n" + request("GET / HTTP/1.1", "Host: a"), "\r\n\r\n" + request("GET / HTTP/1.1", "Host: a"),
        "\r\n\r\n\r\n" + request("GET / HTTP/1.1", "Host: a"),
        request("POST / HTTP/1.1", "Host: a", "Content-Length: 5") + "hello" + request("GET / HTTP/1.1", "Host: a"),
        request("POST / HTTP/1.0", "Connection: keep-alive"),
        request("CONNECT a:443 HTTP/1.1", "Host: a:443") + "\u{16}\u{3}",
        request("GET / HTTP/1.1", "Host: a", "X: a\rb"), request("GET / HTTP/1.1", "Host: a", " folded"),
        request("GET / HTTP/1.1", "Host: a", "Host: b"), request("GET / HTTP/1.1"),
        request("GET / HTTP/2.0", "Host: a"),
        "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\r\n\rX", "GET / HTTP/1.1\r\r\n", "\u{0}",
        "GET  / HTTP/1.1\r\n",
        request("POST / HTTP/1.1", "Host: a", "Content-Length: 1", "Transfer-Encoding: chunked"), "", "\r", "\r\n",
        "GET / HTTP/1.1\r\n",
    ]

    @Test("a request head gives the same result however it is cut", arguments: requests)
    func requestHead(text: String) {
        let text = bytes(text)
        for limits in [HeadLimits(), HeadLimits(headBytes: 40), HeadLimits(headFields: 1)] {
            let whole = parse(request: text, limits: limits)
            for cut in 0...text.count {
                #expect(parse(request: text, cuts: [cut], limits: limits) == whole, "cut at \(cut)")
            }
            #expect(parse(request: text, cuts: Array(0...text.count), limits: limits) == whole)
        }
    }

    @Test(
        "a response head gives the same result however it is cut",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: a\r\n b\r\n\tc\r\n\r\nhello",
            "HTTP/1.1 100 \r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 204\r\n\r\n", "HTTP/1.1 200 OK\nX: y\n\n", "HTTP/1.1 200 OK\r\nX : y\r\n\r\n",
            "HTTP/1.1 200 O\rK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/2 200\r\n\r\n", "",
            "\r\n", "HTTP/1.1 200",
        ])
    func responseHead(text: String) {
        let text = bytes(text)
        for limits in [ResponseHeadParser.defaultLimits, HeadLimits(headBytes: 30), HeadLimits(headFields: 1)] {
            let whole = parse(response: text, limits: limits)
            for cut in 0...text.count {
                #expect(parse(response: text, cuts: [cut], limits: limits) == whole, "cut at \(cut)")
            }
            #expect(parse(response: text, cuts: Array(0...text.count), limits: limits) == whole)
        }
    }

    @Test(
        "a chunked body gives the same result however it is cut",
        arguments: [
            "0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\nGET", "5;a=b\r\nhello\r\n1 \t;x\r\n!\r\n00\r\nX: y\r\nZ:\r\n\r\nrest",
            "5\r\nhelloX", "5\nhello",
            "5\r\nhello\r\n0\r\nX y\r\n\r\n", "5\r\nhello\r\n0\r\nX: y\rz\r\n\r\n", "fffffffffffffffff\r\n", "",
            "a\r\n0123456789\r\n",
            "5\r\nhello\r\n0\r\nHost: a\r\n\r\n", "0\r\n\n", "0\r\n\r\r\n",
        ])
    func chunkedBody(text: String) {
        let text = bytes(text)
        let whole = decode(chunked: text)
        for cut in 0...text.count { #expect(decode(chunked: text, cuts: [cut]) == whole, "cut at \(cut)") }
        #expect(decode(chunked: text, cuts: Array(0...text.count)) == whole)
    }
}
