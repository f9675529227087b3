// Link: the target of a link as written, and the line that contains the link.

/// A link in a document. Line numbers start with 1.
struct Link: Hashable, Sendable {
    let target: String
    let line: Int
    /// The label, if it is the target of a definition in Markdown that no link uses.
    var unusedLabel: String?
}
