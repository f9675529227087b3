// Measurements: what is counted and timed for a recorder of metrics, until that takes it.

import Futures
import Synchronization

/// Counts of what has happened to futures.
struct MeasuredCounts: Sendable {
    var created = 0
    var succeeded = 0
    var failed = 0
    var cancelled = 0
    var timedOut = 0
    var retried = 0
    var refused = 0
    /// The samples that were left out, because there were too many of them.
    var left = 0

    init() {}
}

/// How long an operation waited for its turn, or had it.
struct QueueSample: Sendable {
    let queue: RecordedQueue
    let time: Duration
    let isWait: Bool

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
enum Measurements {
    private static let flag = Atomic<Bool>(false)
    private static let collected = Locked((counts: MeasuredCounts(), samples: [QueueSample]()))

    /// The maximum number of samples between two calls of `take`.
    static let maxSampleCount = 65536

    static var isOn: Bool { flag.load(ordering: .relaxed) }

    static func set(_ isOn: Bool) { flag.store(isOn, ordering: .relaxed) }

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
    static func take() -> (counts: MeasuredCounts, samples: [QueueSample]) {
        collected.withLock { collected in
            defer { collected = (MeasuredCounts(), []) }
            return collected
        }
    }
}
