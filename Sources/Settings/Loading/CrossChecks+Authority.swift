extension CrossChecks {
    /// One kind of authority, and leaves of 45 days at most.
    func checkAuthority(_ intercept: InterceptSettings, _ result: inout SettingsLoader.Result) {
        let (certificate, key) = ("intercept.caCertificate", "intercept.caKey")
        if (intercept.caCertificate == nil) != (intercept.caKey == nil) {
            let (given, missing) = intercept.caKey == nil ? (certificate, key) : (key, certificate)
            result.faults.append(Fault(given, origins[given], "needs \(missing) as well"))
        }
        if intercept.caCertificate != nil, intercept.ephemeralCA {
            let problem = "does not go with \(certificate): the authority is made here or provided"
            result.faults.append(Fault("intercept.ephemeralCA", origins["intercept.ephemeralCA"], problem))
        }
        checkFile(intercept.caCertificate, certificate, &result)
        checkFile(intercept.caKey, key, &result)
        let hours = intercept.leafValidityDays * 24 + intercept.leafBackdateHours
        if hours > InterceptSettings.longestLeafHours {
            let longest = (InterceptSettings.longestLeafHours - intercept.leafBackdateHours) / 24
            result.faults.append(
                .notAllowed(
                    "intercept.leafValidityDays",
                    origins["intercept.leafValidityDays"] ?? origins["intercept.leafBackdateHours"],
                    value: String(intercept.leafValidityDays),
                    allowed: "at most \(longest) with leafBackdateHours \(intercept.leafBackdateHours): 45 days in all")
            )
        }
    }
}
