// transformed: operators of one's own that take part in repetitions. Contract/Repeating.md

import Futures
import FuturesTesting
import Testing

extension Future {
    fileprivate func replaced(with value: Value, when trigger: Future<Void>) -> Future {
        transformed(on: .immediate) { source in
            Future(on: .immediate) { completion in
                let bag = DisposeBag()
                bag += source.onResult(on: .immediate, completion)
                bag += trigger.onValue(on: .immediate) { completion(.success(value)) }
                return bag
            }
        }
    }
}

@Suite struct FutureTransformedTests {
    @Test func `an operator of one's own gets the future of each run, and has a state for each`() throws {
        let (operations, states) = (Shared(0), Log<Int>())
        let future = Future(on: .immediate, immediate: { operations.increment() })
            .transformed(on: .immediate) { source -> Future<Int> in
                let state = Shared(0)
                return source.map(on: .immediate) { number in
                    states.add(state.increment())
                    return number * 10
                }
            }
        #expect(try future.repeatAndCollect(maxRepetitions: 2).wait(timeout: testTimeout) == [10, 20, 30])
        #expect(states.entries == [1, 1, 1])
    }

    @Test func `an operator of one's own that is an operation takes part in repetitions`() {
        let time = VirtualTime()
        let runs = Shared(0)
        let future = Future(on: .immediate, immediate: { runs.increment() })
            .delay(by: .seconds(10), on: time.scheduler)
            .replaced(with: -1, when: Future().delay(by: .seconds(60), on: time.scheduler))
            .onValueRepeat(on: .immediate) { $0 < 3 }
        time.advance(by: .seconds(30))
        #expect(future.success == 3 && runs.value == 3)
    }

    @Test(arguments: [true, false])
    func `the end of an operator of one's own cancels its source, whether it uses that or not`(uses: Bool) {
        for way in 0..<3 {
            let (source, trigger) = (Promise<Int>(), Promise<Int>())
            let future = source.future.transformed(on: .immediate) { source in
                uses ? select(source, or: trigger.future).map(on: .immediate) { $0.any } : trigger.future
            }
            #expect(!source.future.isCompleted)
            switch way {
            case 0: future.cancel()
            case 1: trigger.succeed(1)
            default: trigger.fail(Oops(2))
            }
            #expect(future.isCompleted && source.future.isCancelled, "\(way)")
        }
    }

    @Test func `an operator of one's own leaves a source with other listeners alone`() {
        let (source, heard) = (Promise<Int>(), Log<Int>())
        source.future.onValue(on: .immediate) { heard.add($0) }
        let future = source.future.transformed(on: .immediate) { source in source.map(on: .immediate) { $0 } }
        #expect(future.cancel())
        source.succeed(4)
        #expect(heard.entries == [4])
    }

    @Test func `an operator of one's own that throws fails, and runs where it was attached`() async throws {
        let failed = Future(1).transformed(on: .immediate) { _ -> Future<Int> in throw Oops(5) }
        #expect(failed.error as? Oops == Oops(5))
        let scheduler = Scheduler(label: "operators")
        let isThere = Future(1).transformed(on: scheduler) { source -> Future<Bool> in
            let isCurrent = scheduler.isCurrent
            return source.map(on: .immediate) { _ in isCurrent }
        }
        #expect(try await isThere.value)
        #expect(try await onMainActor().value == 1)
    }

    @MainActor private func onMainActor() -> Future<Int> {
        var count = 0
        return Future(7).transformed { source in
            count += 1
            let known = count
            return source.map(on: .immediate) { _ in known }
        }
    }

    @Test func `an operator of one's own may return its source`() {
        let source = Promise<Int>()
        let future = source.future.transformed(on: .immediate) { $0 }
        source.succeed(3)
        #expect(future.success == 3)
    }

    @Test func `an operator of one's own retains nothing when its future is released`() {
        let census = Census()
        do {
            let (promise, object) = (Promise<Int>(), census.make())
            let future = promise.future.transformed(on: .immediate) { source in
                source.map(on: .immediate) { object.pass($0) }
            }
            promise.succeed(1)
            #expect(future.success == 1)
        }
        #expect(census.alive == 0)
    }
}
