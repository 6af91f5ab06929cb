// Keeps an AWS WAF token fresh without the proxy: `token-provider HOST COMMAND [ARG…]`.
// The command prints a token. Prints the fingerprint of each token, never the token itself; ends after the third one,
// or when the command has failed for good.
import Foundation
import WAFTokens

let arguments = CommandLine.arguments.dropFirst()
guard let host = arguments.first, arguments.count > 1 else {
    print("usage: token-provider HOST COMMAND [ARG...]")
    exit(2)
}
let command = Array(arguments.dropFirst())

var configuration = WAFConfiguration(domainName: host)
configuration.profile = .unrestricted
configuration.tokenRefreshDelaySec = 1
configuration.maxRetryCount = 2
configuration.keepWarm = true

let source = ExecTokenSource(command) { command throws(SourceError) in
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command.arguments
    let output = Pipe()
    process.standardOutput = output
    do { try process.run() } catch { throw SourceError(.internalError, "the command cannot be started") }
    let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    return ExecTokenSource.Ending(exitStatus: process.terminationStatus, output: bytes)
}

let provider: WAFTokenProvider
do { provider = try WAFTokenProvider(configuration, source: source) } catch {
    print("configuration: \(error)")
    exit(2)
}

// Calls back once with the error when the retries are used up, and with a token whenever there is one.
provider.onTokenReady { result in
    switch result {
    case .success(let token): print("ready: \(token)")
    case .failure(let error):
        print("no token: \(error.rawValue)")
        exit(1)
    }
}

var seen = 0
for await snapshot in provider.tokens {
    print("token \(snapshot.generation): \(snapshot.token.fingerprint)")
    seen += 1
    if seen == 3 { break }
}
await provider.stop()
