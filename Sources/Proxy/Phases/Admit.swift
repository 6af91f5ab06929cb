internal import HTTP

/// Phase *admit*: who uses the proxy, where it is for known users only (`access.proxyUsersFile`).
extension RequestContext {
    func admitUser() async throws(RefusalError) {
        // Inside a tunnel that is read, the user of its CONNECT counts.
        guard let users = configuration.users, connection.inside == nil else { return }
        let verdict =
            if let known = users.known(head.fields) { known } else {
                await users.verify(head.fields, on: worker.loop)
            }
        switch verdict {
        case .admitted: return
        case .missing: throw RefusalError(.userMissing)
        case .wrong: throw RefusalError(.userWrong)
        case .busy: throw RefusalError(.tooManyVerifications)
        }
    }
}
