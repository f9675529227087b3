// PermitRecord: where and when a permit was granted, for diagnosing.

/// A permit that was granted and has not been released.
// Safe to share: nothing in it changes.
package final class PermitRecord: ActivityRecord, @unchecked Sendable {
    /// The identity of the permit's queue.
    package let queue: ObjectIdentifier
    /// The name of the queue.
    private let name: LineName

    package var queueName: String { name.long }
    package var recordedQueue: RecordedQueue { name.recorded }

    /// Notes a permit; nil if nothing is recorded.
    static func start(of line: Line, at site: FutureError.SourceLocation) -> PermitRecord? {
        guard Recording.isOn else { return nil }
        let record = PermitRecord(line, site)
        record.list()
        return record
    }

    /// Notes that the permit was released.
    func released() {
        end()
        if let sample = QueueSample(name.recorded, ran: started.duration(to: .now)) { Measurements.add(sample) }
    }

    private init(_ line: Line, _ site: FutureError.SourceLocation) {
        queue = ObjectIdentifier(line)
        name = line.name
        super.init(at: site)
    }
}
