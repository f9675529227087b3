// Page: what the embedded server answers for one path.

/// A page of a served site.
struct Page: Sendable {
    var response: HTTPResponse
    /// How long the answer takes.
    var delay: Duration = .zero
    /// How often it answers 503 before it works.
    var failures = 0
    /// Whether it refuses HEAD, as some servers do.
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
