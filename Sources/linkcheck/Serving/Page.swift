// Page: the response of the embedded server for one path.

/// A page of a served site.
struct Page: Sendable {
    var response: HTTPResponse
    /// The delay before the response.
    var delay: Duration = .zero
    /// The number of requests that are answered with 503 before the page works.
    var failures = 0
    /// Whether HEAD requests are rejected, as by some servers.
    var refusesHead = false

    static func html(_ html: String) -> Page {
        Page(response: HTTPResponse(html: html))
    }

    static func redirect(to target: String, status: Int = 301) -> Page {
        var response = HTTPResponse(status: status)
        response.fields.append(("Location", target))
        return Page(response: response)
    }

    static func status(_ status: Int) -> Page {
        Page(response: HTTPResponse(status: status))
    }
}
