import Telemetry
import Testing

@Suite struct LogChoicesTests {
    @Test func `a change holds for every copy of the logger, from the next line on`() {
        let lines = written(level: .warning, format: .json, access: false) { logger in
            let copy = logger
            copy.info("before")
            #expect(!copy.writesAccess)
            logger.change(level: .debug, format: .text, access: true)
            #expect(copy.level == .debug && copy.writesAccess)
            copy.info("after")
            logger.change(level: .error, format: .text, access: true)
            #expect(!copy.writesAccess)
        }
        #expect(lines.count == 1)
        #expect(lines[0].hasSuffix(" info after"))
    }

    @Test(arguments: LogLevel.allCases) func `what is chosen is what is read`(level: LogLevel) {
        for format in [LogFormat.text, .json] {
            for access in [false, true] {
                _ = written(level: level, format: format, access: access) { logger in
                    #expect(logger.level == level)
                    #expect(logger.writesAccess == (access && level <= .info))
                }
            }
        }
    }
}
