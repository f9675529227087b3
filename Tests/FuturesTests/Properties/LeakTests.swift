// Leaks: futures leave nothing behind when they are released.

import Futures
import Testing

@Suite struct LeakTests {
    private let tally = Tally()

    /// Returns a step whose closure is counted.
    private func step(_ future: Future<Int>) -> Future<Int> {
        let token = tally.token()
        return future.map(on: .immediate) { value in withExtendedLifetime(token) { value + 1 } }
    }

    /// Returns a flatMap of a completed future to `inner`, whose closure is counted.
    private func link(_ inner: Future<Int>, from source: Future<Int> = Future(0)) -> Future<Int> {
        let token = tally.token()
        return source.flatMap(on: .immediate) { _ in withExtendedLifetime(token) { inner } }
    }

    /// How a chain completes or is released.
    enum End: CaseIterable {
        case completed, failed, cancelled, abandoned, dropped, droppedBackwards
    }

    /// The operators of the chain.
    enum Chain: CaseIterable {
        case maps, links, linksBackwards, branches, joined, selected, settled, first, aborted, traversed, repeated
        case queued, watched, operation, mixed
    }

    @Test(arguments: Chain.allCases, End.allCases)
    func `a chain is deallocated completely`(_ chain: Chain, _ end: End) {
        do {
            var promise: Promise<Int>? = Promise<Int>()
            var futures = make(chain, on: promise!.future)
            #expect(tally.count > 0)
            switch end {
            case .completed: promise!.succeed(1)
            case .failed: promise!.fail(FutureError.noFutures)
            case .cancelled: for future in futures.reversed() { future.cancel() }
            case .abandoned: promise = nil
            case .dropped: futures = []
            case .droppedBackwards: while futures.popLast() != nil {}
            }
            withExtendedLifetime((promise, futures)) {}
        }
        #expect(tally.count == 0)
    }

    /// Without `queued`: a queue whose operation never completes lives as long as other operations wait in it.
    @Test(arguments: Chain.allCases.filter { $0 != .queued })
    func `a chain that never completes is deallocated completely when it is cancelled`(_ chain: Chain) {
        do {
            let futures = make(chain, on: .never)
            #expect(tally.count > 0)
            for future in futures.reversed() { future.cancel() }
        }
        #expect(tally.count == 0)
    }

    @Test func `a consumer that is cancelled is released immediately`() {
        let promise = Promise<Int>()
        let inner = link(promise.future)
        let outer = link(inner)
        for future in [promise.future, inner, outer] { future.onValue(on: .immediate) { _ in } }
        let kept = tally.count
        for _ in 0..<100 {
            step(promise.future).cancel()
            step(inner).cancel()
            link(outer).cancel()
            select(step(outer), or: Future(1)).cancel()
        }
        #expect(!outer.isCompleted)
        #expect(tally.count <= kept)
        withExtendedLifetime((promise, outer)) {}
    }

    /// Returns all futures of the chain, in order.
    private func make(_ chain: Chain, on source: Future<Int>) -> [Future<Int>] {
        var futures = [source]
        func add(_ future: Future<Int>) { futures.append(future) }
        switch chain {
        case .maps:
            for _ in 0..<10 { add(step(futures.last!)) }
        case .links:
            for _ in 0..<10 { add(link(futures.last!)) }
        case .linksBackwards:
            // Each flatMap gets its inner future after its listener was attached.
            let gates = (0..<10).map { _ in Promise<Int>() }
            for gate in gates { add(link(futures.last!, from: gate.future)) }
            for gate in gates.reversed() { gate.succeed(0) }
        case .branches:
            let middle = link(link(source))
            add(middle)
            for _ in 0..<5 { add(step(link(middle))) }
        case .joined:
            add(join([step(source), step(source), Future(1)]).map(on: .immediate) { $0[0] })
        case .selected:
            add(select(between: [step(source), link(source)]))
        case .settled:
            add(Future.settle([step(source), link(source)]).map(on: .immediate) { _ in 1 })
        case .first:
            add(Future.first(2, of: [step(source), link(source), step(Future(1))]).map(on: .immediate) { $0[0] })
        case .aborted:
            add(step(source).abort(forFutures: [step(source), link(source)]))
            add(step(futures.last!).abort(forFutures: [link(.never)]))
        case .traversed:
            let steps = [step(source), link(source), step(source), step(Future(1))]
            add(steps.mapToFuture(on: .immediate, maxConcurrentCount: 2) { $0 }.map(on: .immediate) { $0[0] })
            add(steps.reduceToFuture(on: .immediate, 0) { _, step in step })
        case .repeated:
            add(step(source).onErrorRepeat(on: .immediate, maxRepetitions: 3) { _ in true })
            let count = step(source)
            add(count.onErrorRepeat(on: .immediate, maxRepetitions: 3) { _ in count.map(on: .immediate) { _ in true } })
            add(
                step(source).repeatAndCollect(on: .immediate, maxRepetitions: 3) { _ in true }.map(on: .immediate) {
                    $0[0]
                })
            add(step(source).withoutHistory())
            add(step(source).hedged(after: .zero, on: .immediate))
        case .queued:
            let queue = FutureQueue()
            let first = step(source)
            for _ in 0..<3 { add(queue.on(.immediate).enqueue { first }) }
        case .watched:
            let bag = DisposeBag()
            add(step(source))
            bag += futures.last!
            add(futures.last!.onCancel(on: .immediate) { bag.dispose() })
        case .operation:
            let token = tally.token()
            add(
                Future(on: .immediate) { completion in
                    source.onResult(on: .immediate) { completion($0) }
                    return Disposer { withExtendedLifetime(token) {} }
                })
        case .mixed:
            add(link(step(link(step(source).always(on: .immediate) {}))).onCancel(on: .immediate) {})
            add(link(select(link(futures.last!), or: source).map(on: .immediate) { _ in 1 }))
        }
        return futures
    }
}
