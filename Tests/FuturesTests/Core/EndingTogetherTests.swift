// Futures that complete together: what precedes the callbacks of the first one, which may block.

import Foundation
import Futures
import Testing

@Suite struct EndingTogetherTests {
    @Test(arguments: cases.indices, [false, true])
    func `what other threads may need does not wait for a callback of a future that ends with it`(
        _ index: Int, inCallback: Bool
    ) async {
        let ending = Together()
        let start = Self.cases[index](ending)
        Thread.detachNewThread { call(inCallback: inCallback, start) }
        #expect(await comesTrue { ending.isOver.value }, "the first one's callback was called")
        #expect(ending.hadEnded.value, "the others had ended")
        #expect(ending.isInTime.value, "the listeners of the others have been called")
    }

    @Test(arguments: [false, true])
    func `a combination that fails at once has cancelled the others when it is made`(inCallback: Bool) {
        let log = Log<String>()
        onAnotherThread {
            call(inCallback: inCallback) {
                let (signal, failed) = (Signal(), Future<Int>(error: Oops()))
                let others = [
                    stoppable { log.add("disposed") }, stoppable {}.always(on: .background) { signal.send() },
                ]
                _ = join([others[0], failed, others[1]])
                log.add(signal.comes() ? "heard" : "lost")
            }
        }
        #expect(log.entries == ["disposed", "heard"])
    }

    /// Each creates futures, and returns a closure that completes them.
    private static let cases: [@Sendable (Together) -> @Sendable () -> Void] = [
        { ending in
            let queue = FutureQueue()
            let running = queue.on(.immediate).enqueue { ending.pending.future }
            queue.on(.immediate).enqueue { Future() }.onResult(on: .immediate) { _ in ending.block() }
            for future in [running.asVoid(), queue.on(.immediate).enqueue { Future() }] { ending.expects(future) }
            return { queue.cancelAll() }
        },
        { ending in
            let (failing, heard, other) = (Promise<Int>(), Signal(), Promise<Int>())
            let blocking = ending.pending.future.onCancel(on: .immediate, ending.block)
            let hearing = other.future.onCancel(on: ending.other) { withExtendedLifetime(other) { heard.send() } }
            ending.signals.change { $0.append(heard) }
            ending.expects(join([failing.future, blocking, hearing]))
            return { failing.fail(Oops()) }
        },
    ]
}

/// Futures of which one has a callback that blocks until the others have completed and their listeners were called.
private final class Together: Sendable {
    let (other, pending) = (Scheduler(label: "other"), Promise<Int>())
    let (isOver, hadEnded, isInTime) = (Shared(false), Shared(true), Shared(true))
    let signals = Shared<[Signal]>([])
    private let checks = Shared<[@Sendable () -> Bool]>([])

    /// The callback that blocks. Only the first call counts.
    @Sendable func block() {
        guard !isOver.value else { return }
        if !checks.value.allSatisfy({ $0() }) { hadEnded.value = false }
        for signal in signals.value where !signal.comes() { isInTime.value = false }
        isOver.value = true
    }

    /// Expects that the future has completed when the callback is called, and that another thread is notified of it.
    func expects<T>(_ future: Future<T>) {
        let signal = Signal()
        future.onResult(on: other) { _ in signal.send() }
        signals.change { $0.append(signal) }
        checks.change { $0.append { future.isCompleted } }
    }
}
