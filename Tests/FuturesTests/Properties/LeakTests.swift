// Leaks: futures leave nothing behind when they are released.

import Futures
import Testing

@Suite struct LeakTests {
    private let census = Census()

    /// Returns a step whose closure is counted.
    private func step(_ future: Future<Int>) -> Future<Int> {
        let token = census.make()
        return future.map(on: .immediate) { value in withExtendedLifetime(token) { value + 1 } }
    }

    /// Returns a flatMap of a completed future to `inner`, whose closure is counted.
    private func link(_ inner: Future<Int>) -> Future<Int> {
        let token = census.make()
        return Future(0).flatMap(on: .immediate) { _ in withExtendedLifetime(token) { inner } }
    }

    /// How a chain completes or is released. One of a future that never completes is cancelled.
    enum End: CaseIterable {
        case completed, failed, cancelled, abandoned, dropped, never
    }

    enum Chain: CaseIterable {
        case maps, links, branches, joined, selected, settled, first, aborted, traversed, repeated
        case collected, queued, watched, operation, mixed
    }

    @Test(arguments: Chain.allCases, End.allCases)
    func `a chain is deallocated completely`(_ chain: Chain, _ end: End) {
        // A queue whose operation never completes lives as long as other operations wait in it.
        if chain == .queued, end == .never { return }
        do {
            var promise: Promise<Int>? = Promise<Int>()
            var futures = make(chain, on: end == .never ? .never : promise!.future)
            #expect(census.alive > 0)
            switch end {
            case .completed: promise!.succeed(1)
            case .failed: promise!.fail(FutureError.noFutures)
            case .cancelled, .never: for future in futures.reversed() { future.cancel() }
            case .abandoned: promise = nil
            case .dropped: while futures.popLast() != nil {}
            }
            withExtendedLifetime((promise, futures)) {}
        }
        #expect(census.alive == 0)
    }

    @Test func `a consumer that is cancelled is released immediately`() {
        let promise = Promise<Int>()
        let inner = link(promise.future)
        let outer = link(inner)
        for future in [promise.future, inner, outer] { future.onValue(on: .immediate) { _ in } }
        let kept = census.alive
        for _ in 0..<100 {
            for future in [step(promise.future), step(inner), link(outer)] { future.cancel() }
            select(step(outer), or: Future(1)).cancel()
        }
        #expect(!outer.isCompleted)
        #expect(census.alive <= kept)
    }

    /// Returns all futures of the chain, in order.
    private func make(_ chain: Chain, on source: Future<Int>) -> [Future<Int>] {
        func repeated(_ next: (Future<Int>) -> Future<Int>) -> [Future<Int>] {
            (0..<10).reduce(into: [source]) { futures, _ in futures.append(next(futures.last!)) }
        }
        switch chain {
        case .maps: return repeated(step)
        case .links: return repeated(link)
        case .branches:
            let middle = link(link(source))
            return [middle] + (0..<5).map { _ in step(link(middle)) }
        case .joined: return [join([step(source), step(source), Future(1)]).map(on: .immediate) { $0[0] }]
        case .selected: return [select(between: [step(source), link(source)])]
        case .settled: return [Future.settle([step(source), link(source)]).map(on: .immediate) { _ in 1 }]
        case .first:
            return [Future.first(2, of: [step(source), link(source), step(Future(1))]).map(on: .immediate) { $0[0] }]
        case .aborted: return [step(step(source).abort(forFutures: [step(source), link(.never)]))]
        case .traversed:
            let steps = [step(source), link(source), step(source), step(Future(1))]
            return [steps.mapToFuture(on: .immediate, maxConcurrentCount: 2) { $0 }.map(on: .immediate) { $0[0] }]
        case .repeated:
            let count = step(source)
            return [
                step(source).onErrorRepeat(on: .immediate, maxRepetitions: 3) { _ in true },
                count.onErrorRepeat(on: .immediate, maxRepetitions: 3) { _ in count.map(on: .immediate) { _ in true } },
                step(source).withoutHistory(), step(source).hedged(after: .zero, on: .immediate),
            ]
        case .collected:
            return [
                step(source).repeatAndCollect(on: .immediate, maxRepetitions: 3) { _ in true }
                    .map(on: .immediate) { $0[0] }
            ]
        case .queued:
            let (queue, first) = (FutureQueue(), step(source))
            return (0..<3).map { _ in queue.on(.immediate).enqueue { first } }
        case .watched:
            let (bag, last) = (DisposeBag(), step(source))
            bag += last
            return [last, last.onCancel(on: .immediate) { bag.dispose() }]
        case .operation:
            let token = census.make()
            return [
                Future(on: .immediate) { completion in
                    source.onResult(on: .immediate) { completion($0) }
                    return Disposer { withExtendedLifetime(token) {} }
                }
            ]
        case .mixed:
            let inner = link(step(link(step(source).always(on: .immediate) {}))).onCancel(on: .immediate) {}
            return [inner, link(select(link(inner), or: source).map(on: .immediate) { _ in 1 })]
        }
    }
}
