// MetricsRecorder: what passes counts and times on to a metrics system.

/// Receives counts and times of futures and queues, and passes them on to a metrics system.
///
///     struct ServerMetrics: MetricsRecorder {
///         func add(_ count: Int, to metric: Diagnostics.Metric) {
///             Counter(label: metric.name).increment(by: count)
///         }
///         func record(_ time: Duration, in metric: Diagnostics.Metric, dimensions: [(String, String)]) {
///             Timer(label: metric.name, dimensions: dimensions).record(duration: time)
///         }
///         func set(_ metric: Diagnostics.Metric, to value: Int, dimensions: [(String, String)]) {
///             Gauge(label: metric.name, dimensions: dimensions).record(value)
///         }
///     }
///     Diagnostics.isOn = true
///     Diagnostics.setMetricsRecorder(ServerMetrics())
///
/// The methods are called on a scheduler of the library, under no lock, and one call at a time. They may block: what is
/// measured meanwhile is kept, up to 65,536 times, and those beyond are counted as ``Diagnostics/Metric/lost``.
/// `Documentation/Guides/Metrics.md` shows recorders for libraries of metrics, logging and tracing.
public protocol MetricsRecorder: Sendable {
    /// Adds to a counter.
    ///
    /// - Parameters:
    ///   - count: How many there were since the last call; at least 1.
    ///   - metric: What was counted.
    func add(_ count: Int, to metric: Diagnostics.Metric)

    /// Records a time in a histogram.
    ///
    /// - Parameters:
    ///   - time: How long an operation has waited or run.
    ///   - metric: What was measured.
    ///   - dimensions: The kind of the queue, lock or pool, and its label or else the place where it was made: as in
    ///     `[("kind", "FutureQueue"), ("queue", "ledger")]`.
    func record(_ time: Duration, in metric: Diagnostics.Metric, dimensions: [(String, String)])

    /// Sets a gauge.
    ///
    /// - Parameters:
    ///   - metric: What was counted.
    ///   - value: How many there are.
    ///   - dimensions: As those of `record`.
    func set(_ metric: Diagnostics.Metric, to value: Int, dimensions: [(String, String)])
}

extension Diagnostics {
    /// What is counted or measured. There may be more metrics in later versions.
    @nonexhaustive
    public enum Metric: Sendable {
        /// A counter: futures that were made, by operators and by code.
        case created
        /// A counter: futures that were released, and had a value.
        case succeeded
        /// A counter: futures that were released, and had an error other than `CancellationError`.
        case failed
        /// A counter: futures that were released, and were cancelled.
        case cancelled
        /// A counter: time limits that have ended futures or operations of queues: `timeout`, and the like.
        case timedOut
        /// A counter: runs that `retry` has repeated.
        case retried
        /// A counter: operations that a queue, lock or pool has refused, because it was full or closed.
        case refused
        /// A counter: times that were not recorded, because the recorder was too slow.
        case lost
        /// A histogram: how long operations waited for their turn in a queue, lock or pool.
        case waitTime
        /// A histogram: how long operations had their turn in a queue, lock or pool, and how long permits were held.
        case runTime
        /// A gauge: the operations that have their turn in a queue or lock, the permits that are held, and the
        /// resources of a pool that are in use.
        case running

        /// The name in the style of Prometheus, as in `futures_created_total`.
        public var name: String {
            switch self {
            case .created: "futures_created_total"
            case .succeeded: "futures_succeeded_total"
            case .failed: "futures_failed_total"
            case .cancelled: "futures_cancelled_total"
            case .timedOut: "futures_timed_out_total"
            case .retried: "futures_retried_total"
            case .refused: "futures_refused_total"
            case .lost: "futures_lost_times_total"
            case .waitTime: "futures_queue_wait_seconds"
            case .runTime: "futures_queue_run_seconds"
            case .running: "futures_queue_running"
            }
        }
    }

    /// Has a recorder called with what was counted and measured since the last time, at intervals, while ``isOn`` is
    /// true.
    ///
    /// Without a recorder, nothing is measured. The last recorder that was set counts.
    ///
    /// - Parameters:
    ///   - recorder: What is called; nil for none.
    ///   - interval: The time between the end of a round of calls and the next one; at least a millisecond.
    public static func setMetricsRecorder(
        _ recorder: (any MetricsRecorder)?, interval: Duration = .seconds(1)
    ) {
        MetricsFlow.set(recorder, interval)
    }

    /// Calls the recorder on this thread with what was counted and measured since the last time: at the end of a
    /// process. Does nothing while another thread calls it.
    public static func flushMetrics() { MetricsFlow.flush() }
}
