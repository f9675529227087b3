// Visit: the result of a visit to an address.

import Foundation

/// The result of a visit to an address: the address after all redirects, and the document there, if it is HTML or
/// Markdown.
struct Visit: Sendable {
    let address: URL
    let document: Document?
}
