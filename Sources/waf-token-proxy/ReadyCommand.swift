internal import Admin
internal import EventLoop
internal import Settings

/// `waf-token-proxy ready`: asks until the conditions hold or the time is up. Reads state, changes nothing.
enum ReadyCommand {
    private static let pause = Duration.milliseconds(100)

    static func run(_ settings: ClientSettings, _ target: AdminTarget) async -> ExitCode {
        let end = ContinuousClock.now + .seconds(settings.waitSec)
        return await AdminSession.with(target) { client throws(AdminClient.Fault) in
            while true {
                let isLast = ContinuousClock.now >= end
                do throws(AdminClient.Fault) {
                    let missing = missing(settings.conditions, in: try await client.get("/readyz"))
                    if missing.isEmpty {
                        Terminal.say("ready")
                        return .success
                    }
                    if isLast {
                        Terminal.complain("not ready: \(missing.joined(separator: ", "))")
                        return .failure
                    }
                } catch {
                    if isLast { throw error }
                }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Which conditions do not hold; providers without a token by name.
    static func missing(_ wanted: [ClientSettings.Condition], in answer: AdminClient.Answer) -> [String] {
        let conditions = answer.document["conditions"]
        return wanted.compactMap { condition in
            let name = condition.rawValue
            guard condition == .token else { return conditions[name].flag == true ? nil : name }
            guard conditions[name].isObject else { return name }
            let without = conditions[name].members.filter { $0.value.flag != true }.map(\.name)
            return without.isEmpty ? nil : "\(name) (\(without.joined(separator: ", ")))"
        }
    }
}
