internal import Glibc
internal import ProxyKit
internal import Settings

/// `waf-token-proxy check --url URL`
enum ExplainCommand {
    static func run(_ url: String, _ settings: EffectiveSettings) -> ExitCode {
        do throws(RunningProxy.Failure) {
            Terminal.write(try RequestExplanation.text(for: url, settings), to: STDOUT_FILENO)
            return .success
        } catch {
            Terminal.complain(error.description)
            return .usage
        }
    }
}
