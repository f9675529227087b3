// Credentials: users and passwords from the environment or from a file.

/// Users and passwords, which must not be on the command line, where others see them.
enum Credentials {
    /// Returns the credentials by the host, as `user:password`. The name `*` is for the sites that are checked.
    static func read(file: String?, environment: [String: String]) throws -> [String: String] {
        var credentials: [String: String] = [:]
        if let own = environment["LINKCHECK_AUTH"], !own.isEmpty {
            guard own.contains(":") else { throw UsageError.badCredentials("LINKCHECK_AUTH") }
            credentials["*"] = own
        }
        for (index, line) in Arguments.lines(of: file ?? "").enumerated() {
            let words = line.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
            guard words.count == 2, words[1].contains(":") else { throw UsageError.badCredentials("line \(index + 1)") }
            credentials[words[0].lowercased()] = words[1]
        }
        return credentials
    }
}
