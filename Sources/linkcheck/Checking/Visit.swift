// Visit: what stands at an address.

import Foundation

/// What stands at an address: where the redirects led to, and the document there if it is one that can be read.
struct Visit: Sendable {
    let address: URL
    let document: Document?
}
