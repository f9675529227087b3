// PermitRecord: where and when a permit was granted, for diagnosing.

/// A permit that was granted and has not been released.
// Safe to share: nothing in it changes.
package final class PermitRecord: ActivityRecord, @unchecked Sendable {
    /// The identity of the permit's queue.
    package let queue: ObjectIdentifier

    /// Notes a permit; nil if nothing is recorded.
    static func start(of line: Line, at site: FutureError.SourceLocation) -> PermitRecord? {
        guard Recording.isOn else { return nil }
        let record = PermitRecord(line, site)
        record.list()
        return record
    }

    private init(_ line: Line, _ site: FutureError.SourceLocation) {
        queue = ObjectIdentifier(line)
        super.init(at: site)
    }
}
