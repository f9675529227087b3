// Combinations that read their futures' results while another thread cancels them.

import Dispatch
import Synchronization
import Testing

@testable import Futures

/// Larger than a future's inline storage, and counted: a read after the release is detected, at least by a sanitizer.
fileprivate struct Page: Sendable {
    let text: String
    let check = 0x5EED
    var more = [1, 2, 3]
    var still = "here"

    let object: Census.Counted?

    init(_ number: Int, _ object: Census.Counted? = nil) {
        text = "a page of more than fifteen bytes, number \(number)"
        self.object = object
    }

    var isWhole: Bool { check == 0x5EED && more == [1, 2, 3] && still == "here" && text.hasPrefix("a page of more") }
}

/// Cancels a future from another thread at the third call of the keys' hash function, and waits until that is done.
private final class Interruption: Sendable {
    private let hashes = Atomic(0)
    private let end = Guarded<(@Sendable () -> Void)?>(nil)

    func arm(_ cancel: @escaping @Sendable () -> Void) {
        end.with { $0 = cancel }
    }

    func hash() {
        guard let cancel = end.with({ $0 }), hashes.add(1, ordering: .relaxed).newValue == 3 else { return }
        onAnotherThread(cancel)
    }
}

private struct Key: Hashable, Sendable {
    let number: Int
    let interruption: Interruption

    static func == (a: Key, b: Key) -> Bool { a.number == b.number }

    func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        interruption.hash()
    }
}

@Suite struct CombinationRaceTests {
    @Test func `a cancel does not release results that a combination is reading`() {
        func futures(_ interruption: Interruption, _ last: Promise<Page>) -> [Key: Future<Page>] {
            var futures: [Key: Future<Page>] = [:]
            for number in 0..<20 {
                futures[Key(number: number, interruption: interruption)] = Future(
                    on: .immediate, immediate: { Page(number) })
            }
            futures[Key(number: 20, interruption: interruption)] = last.future
            return futures
        }
        let (interruption, last) = (Interruption(), Promise<Page>())
        let all = join(futures(interruption, last))
        interruption.arm { all.cancel() }
        last.succeed(Page(20))
        #expect(all.error is CancellationError)

        let (another, end) = (Interruption(), Promise<Page>())
        let settled = Future.settle(futures(another, end))
        another.arm { settled.cancel() }
        end.succeed(Page(20))
        #expect(settled.error is CancellationError)
    }
}

extension ThreadStressTests {
    @Suite struct Combinations {
        enum Kind: CaseIterable {
            case join, pair, settle, first, firstSuccess, timeout, abort, select

            /// Combines all of `pages` and `last` in this way.
            fileprivate func combine(_ pages: [Future<Page>], _ last: Future<Page>) -> Future<[Page]> {
                switch self {
                case .join: Futures.join(pages + [last])
                case .pair: Futures.join(pages[0], last).map(on: .immediate) { [$0.0, $0.1] }
                case .settle: Future.settle(pages + [last]).map(on: .immediate) { try $0.map { try $0.get() } }
                case .first: Future.first(pages.count + 1, of: pages + [last])
                case .firstSuccess:
                    Future.firstSuccess(of: pages.map { $0.map(on: .immediate) { _ in throw Oops() } } + [last])
                        .map(on: .immediate) { [$0] }
                case .timeout: last.timeout(after: .seconds(100), on: .background).map(on: .immediate) { [$0] }
                case .abort: last.abort(forFutures: [Futures.join(pages[0], last)]).map(on: .immediate) { [$0] }
                case .select:
                    Futures.select(last, or: Futures.join(pages[0], last)).map(on: .immediate) {
                        [$0.left ?? $0.right!.0]
                    }
                }
            }
        }

        @Test(arguments: Kind.allCases)
        func `a combination that is cancelled while its last future completes reads whole results`(
            _ kind: Kind
        ) {
            let census = Census()
            (rounds * 2).rounds { random, _ in
                do {
                    let last = Promise<Page>()
                    let count = Int.random(in: 1...6, using: &random)
                    // Only the combination retains each of them.
                    let end = kind.combine(
                        (0..<count).map { number in
                            Future(on: .immediate, immediate: { Page(number, census.make()) })
                        }, last.future.map(on: .immediate) { $0 })
                    race(2, within: .microseconds(3), &random) { thread in
                        if thread == 0 { end.cancel() } else { last.succeed(Page(100)) }
                    }
                    #expect(end.isCompleted)
                    if case .success(let pages)? = end.result { #expect(pages.allSatisfy { $0.isWhole }) }
                    let again = end.onErrorRepeat(on: .immediate, maxRepetitions: 1) { $0 is CancellationError }
                    if case .success(let pages)? = again.result { #expect(pages.allSatisfy { $0.isWhole }) }
                }
            }
            // After another race, the threads have released the futures of the last round.
            race(2) { _ in }
            #expect(census.alive == 0)
        }

        @Test func `a combination can be attached to an operation of a queue that completes at that moment`() {
            rounds.rounds { random, _ in
                let (queue, gate) = (FutureQueue(), Promise<Int>())
                queue.on(.immediate).enqueue { gate.future }
                // When a listener is added, the queue searches the nodes that wait for this operation.
                let operation = queue.on(.immediate).enqueue { Future(1) }
                race(2, within: .microseconds(3), &random) { thread in
                    if thread == 0 {
                        gate.succeed(1)
                    } else {
                        let all = join([operation]).map(on: .immediate) { $0[0] }
                        #expect((try? operation.shieldedFromCancellation().wait()) == 1)
                        #expect((try? all.wait()) == 1)
                    }
                }
            }
        }

        @Test func `a repetition of a combination that is cancelled while it starts leaves nothing running`() {
            let (begun, disposed) = (AtomicCounter(), AtomicCounter())
            let schedulers = (0..<2).map { Scheduler(label: "starting \($0)") }
            (rounds / 2).rounds { random, round in
                let scheduler = schedulers[round % 2]
                let runs = AtomicCounter()
                let children = (0..<8).map { index in
                    Future<Int>(on: scheduler) { completion in
                        runs.up()
                        // The first run fails; in the second one, all operations stay pending.
                        if runs.value <= 8 {
                            if index == 7 { completion(.failure(Oops())) }
                            return Disposer { withExtendedLifetime(completion) {} }
                        }
                        begun.up()
                        return Disposer {
                            withExtendedLifetime(completion) {}
                            disposed.up()
                        }
                    }
                }
                let future = join(children).onErrorRepeat(on: scheduler, maxRepetitions: 1) { _ in true }
                let pause = Int.random(in: 0..<60, using: &random)
                while runs.value < 16 {}
                for _ in 0..<pause { _ = future.isCompleted }
                future.cancel()
                scheduler.sync {}
            }
            #expect(begun.value == disposed.value)
        }
    }
}
