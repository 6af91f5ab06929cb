import EventLoop
import Foundation
import HTTP
import Testing

@testable import Emulator

/// A time to begin with: seconds since 1970.
let startMsec: Int64 = 1_800_000_000_000

extension [UInt8] {
    init(_ text: String) { self = Array(text.utf8) }
    var text: String { String(decoding: self, as: UTF8.self) }
}

/// A state whose clock the test moves.
struct StateRig {
    var state: EmulatorState
    var wallMsec = startMsec

    init(
        rules: [Rule] = [Rule(prefix: "/", action: .challenge)],
        _ change: (inout EmulatorState.Defaults) -> Void = { _ in }
    ) {
        var defaults = EmulatorState.Defaults()
        defaults.rules = rules
        change(&defaults)
        state = EmulatorState(defaults: defaults, tokenKey: [UInt8]("a key for tests"))
    }

    mutating func token(
        _ domain: String = "", age: Int? = 0, captchaAge: Int? = nil, length: Int = TokenFormat.defaultLength
    ) -> [UInt8] {
        state.mint(domain: domain, challengeAgeSec: age, captchaAgeSec: captchaAge, length: length, wallMsec: wallMsec)
    }

    /// Judges one request, as it came in.
    mutating func receive(
        _ token: [UInt8]?, method: HTTP.Method = .get, path: String = "/", host: String = "shop.test",
        html: Bool = false
    ) -> Decision {
        let request = ProtectedRequest(
            method: method, path: path, host: host, acceptsHTML: html, token: token.map { .one($0) } ?? .none)
        return state.receive(request, record: { _ in }, wallMsec: wallMsec).decision
    }

    /// One control call: its status and its body.
    @discardableResult
    mutating func control(_ method: HTTP.Method, _ target: String, _ body: String = "") -> (status: Int, body: JSON) {
        let answer = ControlAPI.answer(
            method, target, [UInt8](body).span, state: &state, wallMsec: wallMsec)
        return (answer.status, answer.body)
    }
}

extension JSON {
    init(parsing text: String) throws { try self.init(reading: [UInt8](text).span) }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let number) = self { number } else { nil } }
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}

/// Builds fields.
func fields(_ lines: [(String, String)]) -> Fields {
    var fields = Fields()
    for (name, value) in lines { fields.append(name: [UInt8](name).span, value: [UInt8](value).span) }
    return fields
}
