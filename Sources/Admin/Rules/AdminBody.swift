internal import WAFTokens

/// What the bodies of the admin API may say: one object, its known members, nothing else.
enum AdminBody {
    /// `{"token":"…","expiresIn"?:SECONDS}`
    static func token(_ bytes: [UInt8]) throws(AdminRefusal) -> (token: WAFToken, expiresIn: Duration?) {
        let members = try object(bytes, known: ["token", "expiresIn"])
        guard case .string(let value)? = members["token"] else { throw refusal("\"token\" must be a string") }
        let token: WAFToken
        do throws(WAFToken.Fault) { token = try WAFToken(value) } catch { throw refusal("\(error)") }
        switch members["expiresIn"] {
        case nil, .null: return (token, nil)
        case .number(let seconds) where seconds > 0 && seconds <= 31_536_000:
            return (token, .milliseconds(Int64(seconds * 1000)))
        default: throw refusal("\"expiresIn\" must be a number of seconds above 0, at most a year")
        }
    }

    /// `{"active":BOOL,"provider"?:NAME}`
    static func activity(_ bytes: [UInt8]) throws(AdminRefusal) -> (isActive: Bool, provider: String?) {
        let members = try object(bytes, known: ["active", "provider"])
        guard case .bool(let isActive)? = members["active"] else { throw refusal("\"active\" must be true or false") }
        switch members["provider"] {
        case nil, .null: return (isActive, nil)
        case .string(let name): return (isActive, String(decoding: name, as: UTF8.self))
        default: throw refusal("\"provider\" must be a name")
        }
    }

    /// Nothing, or `{}`.
    static func nothing(_ bytes: [UInt8]) throws(AdminRefusal) {
        if !bytes.isEmpty { _ = try object(bytes, known: []) }
    }

    private static func object(_ bytes: [UInt8], known: Set<String>) throws(AdminRefusal) -> [String: JSONValue] {
        let value: JSONValue
        do throws(JSONReader.Fault) { value = try JSONReader.read(bytes) } catch {
            throw refusal("the body is refused: \(error)")
        }
        guard case .object(let members) = value else { throw refusal("the body must be a JSON object") }
        var found: [String: JSONValue] = [:]
        for member in members {
            let name = String(decoding: member.name, as: UTF8.self)
            // The name is not repeated: somebody may have put a token in its place.
            guard known.contains(name) else {
                let names = known.sorted().map { "\"\($0)\"" }.joined(separator: " and ")
                throw refusal("the body has a member that is not known; known: \(names.isEmpty ? "none" : names)")
            }
            found[name] = member.value
        }
        return found
    }

    private static func refusal(_ sentence: String) -> AdminRefusal { AdminRefusal(.badRequest, sentence) }
}
