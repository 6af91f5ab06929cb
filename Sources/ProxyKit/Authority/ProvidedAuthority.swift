internal import EventLoop
internal import Glibc
internal import TLS
internal import Telemetry
internal import WAFTokens

/// An authority of the user's: a certificate that signs leaves with its issuers, and its key.
struct ProvidedAuthority {
    let certificatePath: String
    let keyPath: String

    /// Reads both and checks that clients can accept what it signs for each of `hosts`.
    func open(for hosts: [HostPattern], now: Int) throws(RunningProxy.Failure) -> OpenedAuthority {
        let certificates = try read(certificatePath, "intercept.caCertificate").text
        let key = try read(keyPath, "intercept.caKey")
        // A group is let through: mounted secrets of container platforms are readable for one.
        guard key.mode & 0o007 == 0 else {
            throw .settings(
                "intercept.caKey: \(Escaper.escape(keyPath)) has mode \(String(key.mode, radix: 8)), so everybody can "
                    + "read the key: `chmod 600` it")
        }
        let name = Escaper.escape(certificatePath)
        let authority: InterceptionAuthority
        do throws(TLSError) {
            authority = try InterceptionAuthority(certificatePEM: certificates, keyPEM: key.text)
        } catch {
            throw .settings("intercept.caCertificate: \(name) cannot be used: \(error.detail)")
        }
        guard (authority.notBefore..<authority.notAfter).contains(now) else {
            let (start, end) = (CalendarDay.text(authority.notBefore), CalendarDay.text(authority.notAfter))
            throw .settings("intercept.caCertificate: \(name) is valid from \(start) to \(end) and not now")
        }
        let opened = OpenedAuthority(
            place: .provided(certificatePath), event: .kept, warnings: [], authority: authority, constraints: nil)
        if let host = opened.refused(among: hosts) {
            throw .settings(
                "intercept.caCertificate: \(name) may not sign for \(host): its name constraints exclude it")
        }
        return opened
    }

    private func read(_ path: String, _ setting: String) throws(RunningProxy.Failure) -> WholeFile.Content {
        do throws(SystemError) {
            if let content = try WholeFile(path: path).read(followsLinks: true) { return content }
            throw SystemError(errno: ENOENT, in: "open")
        } catch {
            throw .settings("\(setting): \(Escaper.escape(path)) cannot be read as user \(geteuid()): \(error)")
        }
    }
}
