internal import Proxy
internal import WAFTokens

/// `GET /v1/clients`: who does not trust the proxy's authority, and what each runtime wants to be set.
enum ClientsDocument {
    static func json(_ troubles: [TrustTrouble]) -> JSONValue {
        .members([
            "clients": .array(troubles.map(client)),
            "runtimes": .array(
                ClientRuntime.all.map { .members(["name": .text($0.name), "set": .text($0.remedy)]) }),
        ])
    }

    private static func client(_ trouble: TrustTrouble) -> JSONValue {
        .members([
            "client": .text(trouble.client), "runtime": .text(trouble.runtime.name),
            "sign": .text(trouble.sign.description), "host": .text(trouble.host), "count": .integer(trouble.count),
            "set": trouble.sign.isAboutTrust ? .text(trouble.runtime.remedy) : .null,
        ])
    }
}
