import Testing

@testable import Telemetry

@Suite struct MetricsTextTests {
    private func text(_ write: (inout MetricsText) -> Void) -> String {
        var text = MetricsText(prefix: "p_")
        write(&text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test("a family has one HELP and one TYPE line before its samples")
    func families() {
        let written = text {
            $0.family("requests_total", .counter, "How many.")
            $0.sample(3, [("provider", "shop"), ("state", "2xx")])
            $0.sample(0)
        }
        #expect(
            written == """
                # HELP p_requests_total How many.
                # TYPE p_requests_total counter
                p_requests_total{provider="shop",state="2xx"} 3
                p_requests_total 0

                """)
    }

    @Test("a label's value cannot end its line or its quotes")
    func escaping() {
        let written = text {
            $0.family("x", .gauge, "X.")
            $0.sample(1, [("name", "a\"b\\c\nd")])
        }
        #expect(written.hasSuffix("p_x{name=\"a\\\"b\\\\c\\nd\"} 1\n"))
    }

    @Test("a histogram ends with +Inf, sum and count, in seconds")
    func histograms() {
        let histogram = Histogram(bounds: [500, 2_000_000], shards: 1)
        histogram.observe(microseconds: 1_500_000, shard: 0)
        let written = text {
            $0.family("took_seconds", .histogram, "Took.")
            $0.sample(histogram.reading, [("provider", "shop")])
        }
        #expect(
            written.split(separator: "\n").dropFirst(2) == [
                "p_took_seconds_bucket{provider=\"shop\",le=\"0.0005\"} 0",
                "p_took_seconds_bucket{provider=\"shop\",le=\"2\"} 1",
                "p_took_seconds_bucket{provider=\"shop\",le=\"+Inf\"} 1",
                "p_took_seconds_sum{provider=\"shop\"} 1.5",
                "p_took_seconds_count{provider=\"shop\"} 1",
            ])
    }

    @Test(
        "seconds are as short as they are exact",
        arguments: [
            (0, "0"), (1, "0.000001"), (500_000, "0.5"), (30_000_000, "30"), (1_000_010, "1.00001"),
            (-2_500_000, "-2.5"),
        ] as [(Int64, String)])
    func seconds(microseconds: Int64, text: String) {
        #expect(MetricsText.seconds(microseconds: microseconds) == text)
    }
}
