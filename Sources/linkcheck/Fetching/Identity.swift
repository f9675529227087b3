// Identity: the fields with which requests present themselves, and credentials.

import Foundation

/// A header field.
struct HeaderField: Hashable, Sendable {
    let name: String
    let value: String
}

/// The fields of all requests, and the secrets of those to hosts that may know them.
struct Identity: Equatable, Sendable {
    var userAgent = "linkcheck/\(LinkCheck.version)"
    /// Fields for the sites that are checked. They may be secret, so other hosts do not get them.
    var siteFields: [HeaderField] = []
    /// The sites that get `siteFields`.
    var sites: Set<Origin> = []
    /// The user and the password by the host, as `user:password`. The name `*` is for `sites`.
    var credentials: [String: String] = [:]

    /// Returns the request with the fields for its host.
    func signed(_ request: Request) -> Request {
        var request = request
        var fields = [HeaderField(name: "User-Agent", value: userAgent)]
        if let origin = Origin(request.address) {
            let isSite = sites.contains(origin)
            if isSite { fields += siteFields }
            if let credential = credentials[origin.host] ?? (isSite ? credentials["*"] : nil) {
                let text = Data(credential.utf8).base64EncodedString()
                fields.append(HeaderField(name: "Authorization", value: "Basic \(text)"))
            }
        }
        request.fields = fields
        return request
    }
}
