internal import EventLoop
internal import Glibc
internal import ProxyKit
internal import Settings
internal import Telemetry

/// `waf-token-proxy ca show|export`
enum CACommand {
    static func run(_ verb: CAVerb, _ settings: EffectiveSettings, _ ca: CASettings) -> ExitCode {
        do throws(RunningProxy.Failure) {
            switch verb {
            case .show: Terminal.write(try AuthorityReport.text(settings), to: STDOUT_FILENO)
            case .export: return export(try AuthorityReport.trustAnchorPEM(settings), to: ca.out)
            }
            return .success
        } catch {
            Terminal.complain(error.description)
            if case .settings = error { return .usage }
            return .unavailable
        }
    }

    private static func export(_ pem: String, to path: String?) -> ExitCode {
        guard let path else {
            Terminal.write(pem, to: STDOUT_FILENO)
            return .success
        }
        do throws(SystemError) {
            // For everybody to read, within the umask: it is no secret.
            try WholeFile(path: path, mode: 0o666).write(pem)
            return .success
        } catch {
            Terminal.complain("\(Escaper.escape(path)) cannot be written as user \(geteuid()): \(error)")
            return .failure
        }
    }
}
