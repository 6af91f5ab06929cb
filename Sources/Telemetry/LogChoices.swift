internal import Synchronization

/// How a log looks, for all copies of its `Logger`. It can change while they write: one word, read and written whole.
final class LogChoices: Sendable {
    private let word: Atomic<UInt8>

    private static let isJSON: UInt8 = 0x10
    private static let hasAccess: UInt8 = 0x20

    init(level: LogLevel, format: LogFormat, access: Bool) {
        word = Atomic(Self.word(level, format, access))
    }

    func change(level: LogLevel, format: LogFormat, access: Bool) {
        word.store(Self.word(level, format, access), ordering: .relaxed)
    }

    var level: LogLevel { LogLevel(rawValue: value & 0x0f) ?? .error }
    var format: LogFormat { value & Self.isJSON == 0 ? .text : .json }
    /// Whether access lines are asked for, and `info` is written.
    var writesAccess: Bool { value & Self.hasAccess != 0 && level <= .info }

    private var value: UInt8 { word.load(ordering: .relaxed) }

    private static func word(_ level: LogLevel, _ format: LogFormat, _ access: Bool) -> UInt8 {
        level.rawValue | (format == .json ? isJSON : 0) | (access ? hasAccess : 0)
    }
}
