// What an operation has stopped by itself, by a race or in its closures, while its turn lasts. Contract/Turns.md

import Futures
import Testing

private struct Failed: Error {}

@Suite struct UnfinishedWorkTests {
    private let log = Log<String>()

    private static let races: [@Sendable (Future<Int>, Future<Int>) -> Future<Int>] = [
        { select(between: [$0, $1]) },
        { Future.firstSuccess(of: [$0, $1]).map(on: .immediate) { $0 } },
        { join([$0, $1.map(on: .immediate) { _ in throw Failed() }]).map(on: .immediate) { $0[0] } },
        { join($0, $1.map(on: .immediate) { _ in throw Failed() }).mapResult(on: .immediate) { _ in 1 } },
        { lost, end in
            end.flatMap(on: .immediate) { one in
                [1].mapToFuture(on: .immediate) { _ in select(between: [lost, Future(one)]) }
                    .map(on: .immediate) { $0[0] }
            }
        },
        { lost, end in
            end.flatMap(on: .immediate) { one in
                [1].mapToFuture(on: .immediate) { _ in select(between: [lost, Future(one)]) }
            }.map(on: .immediate) { $0[0] }
        },
        { race, end in Future(1).flatMap(on: .immediate) { _ in race.abort(forFutures: [end]) } },
        { lost, end in
            let promise = Promise<Int>()
            promise.complete(with: select(between: [lost, end]))
            return promise.future
        },
    ]

    @Test(arguments: 0..<races.count, 0..<3)
    func `an operation keeps its turn until what has lost a race inside it has ended`(_ race: Int, loser: Int) async {
        let (end, opened, elsewhere) = (Promise<Int>(), Promise<Void>(), Scheduler(label: "elsewhere"))
        let (entered, gate) = (Promise<Void>(), Signal())
        let future = TurnForm.queue.enqueue(log) { [log] in
            let closure: @Sendable () -> Void = {
                entered.succeed()
                _ = gate.comes()
                log.add("has ended")
            }
            let lost: Future<Int>
            switch loser {
            case 0:
                elsewhere.async { _ = gate.comes() }
                lost = Future(on: .immediate) { _ in Disposer(on: elsewhere) { log.add("has ended") } }
                entered.succeed()
            case 1: lost = Future(()).map(on: elsewhere) { closure() }.map(on: .immediate) { 0 }
            default:
                lost = Future<Int> {
                    entered.succeed()
                    _ = await opened.future.arrival()
                    log.add("has ended")
                    return 0
                }
            }
            return Self.races[race](lost, end.future)
        }
        _ = try? await entered.future.value
        end.succeed(1)
        #expect(future.isCompleted)
        #expect(log.entries == [])
        gate.send()
        opened.succeed()
        #expect(await comesTrue { log.count == 2 })
        #expect(log.entries == ["has ended", "next"])
    }

    @Test(arguments: [false, true])
    func `an operation keeps its turn until the losers of all races inside it have ended`(isCancelled: Bool) async {
        let schedulers = [Scheduler(label: "first"), Scheduler(label: "second")]
        let (gates, ends, behind) = ([Signal(), Signal()], [Promise<Int>(), Promise<Int>()], Signal())
        let future = TurnForm.queue.enqueue(log) { [log] in
            let races = [0, 1].map { number in
                schedulers[number].async { _ = gates[number].comes() }
                let loser = Future<Int>(on: .immediate) { _ in
                    Disposer(on: schedulers[number]) { log.add("\(number)") }
                }
                return select(between: [loser, ends[number].future])
            }
            return races[0].flatMap(on: .immediate) { _ in races[1] }
        }
        ends[0].succeed(1)
        if isCancelled { future.cancel() } else { ends[1].succeed(1) }
        #expect(future.isCompleted)
        gates[1].send()
        // Behind what the end of that loser leads to.
        schedulers[1].async { behind.send() }
        #expect(behind.comes())
        #expect(log.entries == ["1"])
        gates[0].send()
        #expect(await comesTrue { log.count == 3 })
        #expect(log.entries == ["1", "0", "next"])
    }

    private static let disposables: [@Sendable (Slow) -> any Disposable] = [
        { $0.disposer() },
        { slow in
            let bag = DisposeBag()
            bag += slow.disposer()
            return bag
        },
        { slow in Disposer { [disposer = slow.disposer()] in disposer.dispose() } },
        { slow in Disposer { [future = slow.future()] in future.cancel() } },
        { $0.future().disposable },
    ]

    @Test(arguments: 0..<disposables.count)
    func `an operation keeps its turn until what its disposable stops as it completes has ended`(_ form: Int) async {
        let (slow, queue, source) = (Slow(log), FutureQueue(), Promise<Int>())
        _ = queue.on(.immediate).enqueue {
            Future<Int>(on: .immediate) { completion in
                source.future.onValue(on: .immediate) { completion(.success($0)) }
                return Self.disposables[form](slow)
            }
        }
        _ = queue.on(.immediate).run { [log] in log.add("next") }
        source.succeed(1)
        #expect(log.entries == [])
        slow.gate.send()
        #expect(await comesTrue { log.count == 2 })
        #expect(log.entries == ["has disposed", "next"])
    }

    @Test(arguments: [false, true])
    func `an operation keeps its turn until what its cleanup has stopped has ended`(isCancelled: Bool) async {
        let (slow, queue, source) = (Slow(log), FutureQueue(), Promise<Int>())
        let future = queue.on(.immediate).enqueue {
            source.future
        } finally: { _, _ in
            select(between: [slow.future(), Future(1)]).asVoid()
        }
        _ = queue.on(.immediate).run { [log] in log.add("next") }
        if isCancelled { future.cancel() } else { source.succeed(1) }
        #expect(log.entries == [])
        slow.gate.send()
        #expect(await comesTrue { log.count == 2 })
        #expect(log.entries == ["has disposed", "next"])
    }
}

/// Futures whose disposables return on another scheduler, when they are let go.
private struct Slow: Sendable {
    let gate = Signal()
    private let log: Log<String>
    private let elsewhere = Scheduler(label: "elsewhere"), completions = Shared<[Future<Int>.Completion]>([])

    init(_ log: Log<String>) {
        self.log = log
        elsewhere.async { [gate] in _ = gate.comes() }
    }

    func disposer() -> Disposer { Disposer(on: elsewhere) { [log] in log.add("has disposed") } }

    func future() -> Future<Int> {
        Future(on: .immediate) { [self] completion in
            completions.change { $0.append(completion) }
            return disposer()
        }
    }
}
