// What the certificates of intercepted hosts cost: a new leaf, one that is there, and the authority at start.
// Prints one JSON object, in microseconds and bytes.
import Glibc
import TLS

let now = 1_800_000_000
let clock = ContinuousClock()

func microseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
}

/// The sorted times of `count` calls.
func times(_ count: Int, _ body: (Int) throws -> Void) rethrows -> [Double] {
    var found: [Double] = []
    for step in 0..<count { found.append(microseconds(try clock.measure { try body(step) })) }
    return found.sorted()
}

/// Resident memory, in bytes (proc_pid_statm(5)).
func resident() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var pages = (0, 0)
    withUnsafeMutablePointer(to: &pages.0) { first in
        withUnsafeMutablePointer(to: &pages.1) { second in
            _ = withVaList([first, second]) { vfscanf(file, "%ld %ld", $0) }
        }
    }
    return pages.1 * Int(getpagesize())
}

func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

let authority = try InterceptionAuthority(constraints: NameConstraints(hosts: ["shop.test"]), now: now)
let store = try LeafStore(authority: authority, capacity: 1000) { now }
let mints = try times(5000) { _ = try store.identity(for: "host-\($0).shop.test") }
let hits = try (0..<5).map { _ in
    microseconds(try clock.measure { for _ in 0..<200_000 { _ = try store.identity(for: "host-4999.shop.test") } })
}
let made = try times(50) { _ in
    _ = try InterceptionAuthority(constraints: NameConstraints(hosts: ["shop.test"]), now: now)
}
let (certificates, key) = (try authority.certificatePEM(), try authority.keyPEM())
let read = try times(50) { _ in _ = try InterceptionAuthority(certificatePEM: certificates, keyPEM: key) }
let many = try LeafStore(authority: authority, capacity: 10_000) { now }
let before = resident()
for step in 0..<10_000 { _ = try many.identity(for: "host-\(step).shop.test") }
let leafBytes = (resident() - before) / 10_000
let lines = [
    "\"mint_us\": \(rounded(mints[mints.count / 2]))",
    "\"mint_99th_us\": \(rounded(mints[mints.count * 99 / 100]))",
    "\"cache_hit_us\": \(((hits.min() ?? 0) / 200_000 * 1000).rounded() / 1000)",
    "\"leaf_bytes\": \(leafBytes)",
    "\"authority_made_us\": \(rounded(made[made.count / 2]))",
    "\"authority_read_us\": \(rounded(read[read.count / 2]))",
]
print("{\(lines.joined(separator: ", "))}")
