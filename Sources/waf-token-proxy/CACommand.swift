internal import EventLoop
internal import Glibc
internal import ProxyKit
internal import Settings
internal import Telemetry

/// `waf-token-proxy ca show|export|trust-kit`
enum CACommand {
    static func run(
        _ verb: CAVerb, _ settings: EffectiveSettings, _ ca: CASettings, _ setup: ClientSetupSettings
    ) -> ExitCode {
        do throws(RunningProxy.Failure) {
            switch verb {
            case .show: Terminal.write(try AuthorityReport.text(settings), to: STDOUT_FILENO)
            case .trustKit:
                return writeKit(try AuthorityReport.trustAnchorPEM(settings), to: ca.folder ?? ".", settings, setup)
            case .export: return export(try AuthorityReport.trustAnchorPEM(settings), to: ca.out)
            }
            return .success
        } catch {
            Terminal.complain(error.description)
            if case .settings = error { return .usage }
            return .unavailable
        }
    }

    private static func writeKit(
        _ pem: String, to folder: String, _ settings: EffectiveSettings, _ setup: ClientSetupSettings
    ) -> ExitCode {
        let client = ClientVariables(
            proxy: ClientAddress.of(setup, listen: settings.listen) ?? "",
            trustKit: AbsolutePath.of(setup.trustKit ?? folder), noProxy: setup.noProxy, java: setup.java)
        do throws(TrustKit.Failure) {
            let warnings = try TrustKit.write(
                authorityPEM: pem, to: folder, client, environment: ProcessEnvironment.current())
            for warning in warnings { Terminal.complain("warning: \(warning)") }
            return .success
        } catch {
            Terminal.complain(error.description)
            return .failure
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
