// Link: the target of a link as it is written, and the line that it stands on.

/// A link in a document. Lines count from 1.
struct Link: Hashable, Sendable {
    let target: String
    let line: Int
}
