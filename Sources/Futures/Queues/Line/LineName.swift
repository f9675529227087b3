// LineName: what messages call a queue, lock, pool or cache.

/// What messages call a queue, lock, pool or cache: its kind, and its label or else the place where it was made.
package struct LineName: Sendable, CustomStringConvertible {
    package let kind: StaticString
    package let label: String?
    package let origin: FutureError.SourceLocation

    /// `"ledger"`, or `FutureQueue made at App/Ledger.swift:8`.
    package var description: String { label.map { "\"\($0)\"" } ?? "\(kind) made at \(origin)" }
}

extension LineName {
    init(_ kind: StaticString, _ label: String?, _ file: StaticString, _ line: UInt) {
        self.init(kind: kind, label: label, origin: .init(file, line: line))
    }

    /// The kind, with the label or else the place where it was made.
    package var long: String { label == nil ? description : ofSummary }

    /// The kind, with the label if there is one: what a summary begins with.
    var ofSummary: String { label.map { "\(kind) \"\($0)\"" } ?? "\(kind)" }
}
