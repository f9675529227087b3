// Measurements: what is counted and timed for a recorder of metrics, until that takes it.

internal import Synchronization

/// Counts of what has happened to futures.
package struct MeasuredCounts: Sendable {
    package var created = 0
    package var succeeded = 0
    package var failed = 0
    package var cancelled = 0
    package var timedOut = 0
    package var retried = 0
    package var refused = 0
    /// The samples that were left out, because there were too many of them.
    package var left = 0

    init() {}
}

/// How long an operation waited for its turn, or had it.
package struct QueueSample: Sendable {
    package let queue: RecordedQueue
    package let time: Duration
    package let isWait: Bool

    /// Nil unless something is measured.
    init?(_ queue: RecordedQueue?, waited time: Duration) { self.init(queue, time, isWait: true) }

    /// Nil unless something is measured.
    init?(_ queue: RecordedQueue?, ran time: Duration) { self.init(queue, time, isWait: false) }

    private init?(_ queue: RecordedQueue?, _ time: Duration, isWait: Bool) {
        guard Measurements.isOn, let queue else { return nil }
        self.queue = queue
        self.time = time
        self.isWait = isWait
    }
}

/// Collects, so that no code of the user's is called where something is measured.
package enum Measurements {
    private static let flag = Atomic<Bool>(false)
    private static let collected = Locked((counts: MeasuredCounts(), samples: [QueueSample]()))

    /// The maximum number of samples between two calls of `take`.
    package static let maxSampleCount = 65536

    package static var isOn: Bool { flag.load(ordering: .relaxed) }

    package static func set(_ isOn: Bool) { flag.store(isOn, ordering: .relaxed) }

    /// Changes a count.
    static func count(_ add: (inout MeasuredCounts) -> Void) {
        if isOn { collected.withLock { add(&$0.counts) } }
    }

    static func add(_ sample: QueueSample) {
        collected.withLock {
            if $0.samples.count < maxSampleCount { $0.samples.append(sample) } else { $0.counts.left += 1 }
        }
    }

    /// Takes what was collected since the last time.
    package static func take() -> (counts: MeasuredCounts, samples: [QueueSample]) {
        collected.withLock { collected in
            defer { collected = (MeasuredCounts(), []) }
            return collected
        }
    }
}
