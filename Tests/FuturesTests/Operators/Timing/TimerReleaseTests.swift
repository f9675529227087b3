// Timers that are no longer needed.

import Futures
import FuturesTesting
import Testing

@Suite struct TimerReleaseTests {
    private enum End: CaseIterable { case value, error, cancel, abandonment, time }

    @Test func `a timer that is no longer needed is stopped immediately and releases its captures`() throws {
        let count = timers(.seconds(60), on: VirtualTime()).count
        for index in 0..<count {
            for end in End.allCases {
                let time = VirtualTime()
                let census = Census()
                var promise: Promise<Int>? = Promise()
                func attach() -> Future<Int> {
                    let captured = census.make()
                    let source = promise!.future.map(on: .immediate) { captured.pass($0) }
                    return timers(.seconds(60), on: time)[index](source)
                        .map(on: .immediate) { captured.pass($0) }
                }
                var future: Future<Int>? = attach()
                time.advance(by: .seconds(1))
                switch end {
                case .value: promise?.succeed(1)
                case .error: promise?.fail(Oops())
                case .cancel: future?.cancel()
                case .abandonment: promise = nil
                case .time: time.advance(by: .seconds(60))
                }
                time.run()
                if index >= count - 5, end != .cancel {
                    // The operators that delay a result now wait for their time, and are cancelled.
                    if end == .time { promise?.succeed(1) }
                    future?.cancel()
                    // Hops that are already scheduled do nothing.
                    time.run()
                }
                #expect(future?.isCompleted == true)
                future = nil
                #expect(time.pendingCount == 0, "operator \(index), ended by \(end)")
                #expect(census.alive == 0, "operator \(index), ended by \(end)")
            }
        }
    }
}
