// ProgressShare: what one run of a request has added to a counter, to be taken back if the run fails.

import Futures

/// What one run of a request has added to a counter. A run that fails takes its share back, so that a retry does not
/// count twice.
// Safe to share: it is used on the serial queue of a session's delegate only.
final class ProgressShare: @unchecked Sendable {
    private let counter: ProgressCounter?
    private let countsUpload: Bool
    private var completed: Int64 = 0
    private var total: Int64 = 0

    init(_ counter: ProgressCounter?, countsUpload: Bool) {
        self.counter = counter
        self.countsUpload = countsUpload
    }

    /// Notes the size of the reply's body.
    func expectReceived(_ size: Int64) { if !countsUpload { set(completed, of: size) } }

    /// Notes a part of the reply's body.
    func addReceived(_ size: Int64) { if !countsUpload { set(completed + size, of: total) } }

    /// Notes how much of the request's body was sent.
    func setSent(_ size: Int64, of total: Int64) { if countsUpload { set(size, of: max(total, 0)) } }

    /// Leaves the share with the counter.
    func keep() { (completed, total) = (0, 0) }

    /// Takes back what was not kept.
    func takeBack() { set(0, of: 0) }

    private func set(_ completed: Int64, of total: Int64) {
        guard let counter else { return }
        if total != self.total { counter.expect(total - self.total) }
        if completed != self.completed { counter.add(completed - self.completed) }
        (self.completed, self.total) = (completed, total)
    }
}
