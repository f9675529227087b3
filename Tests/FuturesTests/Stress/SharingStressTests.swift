// SingleFlight and FutureCache under threads: one run for all callers, no run without callers, and no stale result.

import Futures
import FuturesTesting
import Testing

extension ThreadStressTests {
    @Suite struct SharingPrograms {
        @Test func `under random cancels, a single flight has one run for all callers, and retains nothing`() async {
            await run(maxCount: 0...0)
        }

        @Test func `under random cancels, a cache has one run for all callers, and no forgotten value`() async {
            await run(maxCount: 1...3)
        }

        private func run(maxCount: ClosedRange<Int>) async {
            await runPrograms(rounds / 2) { SharingRun(maxCount: .random(in: maxCount, using: &$0), &$0) }
        }
    }
}

private enum Sharer: Sendable {
    case flight(SingleFlight<Int, Fetched>)
    case cache(FutureCache<Int, Fetched>)

    func future(for key: Int, on scheduler: Scheduler, _ body: @escaping @Sendable () throws -> Future<Fetched>)
        -> Future<Fetched>
    {
        switch self {
        case .flight(let flights): flights.future(on: scheduler, for: key, body)
        case .cache(let cache): cache.future(on: scheduler, for: key, body)
        }
    }

    func forget(_ key: Int?) {
        switch self {
        case .flight(let flights): for key in key.map({ [$0] }) ?? [0, 1, 2] { flights.forget(key) }
        case .cache(let cache): if let key { cache.removeValue(forKey: key) } else { cache.removeAll() }
        }
    }

    var count: Int {
        if case .cache(let cache) = self { cache.count } else { 0 }
    }
}

private final class SharingRun: ThreadProgram {
    private enum Reaction: CaseIterable {
        case nothing, askingAgain, askingForAnother, forgetting, cancelling
    }

    let witness = Witness()
    private let sharer: Shared<Sharer?>
    private let fetches: Fetches
    private let pending = Pending(), time = VirtualTime()
    private let maxCount: Int
    private let isLeft: Bool
    private let isCancelled: Bool

    init(maxCount: Int, _ random: inout SplitMix) {
        self.maxCount = maxCount
        var refreshes = false
        if maxCount == 0 {
            sharer = Shared(.flight(SingleFlight()))
            fetches = Fetches(witness, keeps: false)
        } else {
            let expiry = random.pick([Duration.seconds(1), .seconds(2), .seconds(1000)])
            let stale = random.pick([Duration.zero, .seconds(1)])
            let failures = random.pick([Duration.zero, .seconds(1)])
            sharer = Shared(
                .cache(
                    FutureCache(
                        maxCount: maxCount, expiresAfter: expiry, staleFor: stale, failuresFor: failures,
                        on: time.scheduler)))
            fetches = Fetches(witness, keeps: true)
            refreshes = stale > .zero
        }
        isLeft = random.oneIn(4)
        // A run that refreshes a value needs no callers.
        isCancelled = random.oneIn(2) && !refreshes
    }

    func run(thread: Int, _ random: inout SplitMix) {
        let last = Int.random(in: 0..<10, using: &random)
        for step in 0..<10 {
            guard let sharer = sharer.value else { return }
            // Only one thread may advance the clock.
            if thread == 0, random.oneIn(3) { time.advance(by: .seconds(1)) }
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: pending.cancelOne(&random)
            case 2: witness.openGates()
            case 3 where random.oneIn(2): forget(sharer, &random)
            default: ask(sharer, for: Int.random(in: 0..<3, using: &random), &random)
            }
            if sharer.count > maxCount { witness.complain("too many values") }
            if step == last, isLeft, thread == 0 { _ = self.sharer.change { $0.take() } }
        }
    }

    private func forget(_ sharer: Sharer, _ random: inout SplitMix) {
        let key = random.oneIn(4) ? nil : Int.random(in: 0..<3, using: &random)
        fetches.forget(key) { sharer.forget(key) }
    }

    private func ask(_ sharer: Sharer, for key: Int, _ random: inout SplitMix, isReaction: Bool = false) {
        let body = fetching(sharer, key, &random)
        let scheduler = random.pick([Scheduler.immediate, .immediate, .background])
        let (isRepeated, seed) = (random.oneIn(5), random.next())
        let reaction = isReaction ? .nothing : random.pick([.nothing, .nothing] + Reaction.allCases)

        let asked = witness.now()
        var future = sharer.future(for: key, on: scheduler, body)
        if isRepeated {
            future = future.onErrorRepeat(on: .immediate, maxRepetitions: 1) { !($0 is CancellationError) }
        }
        let end = future.mapResult(on: .immediate) { [self] result in
            hear(result, asked)
            var random = SplitMix(seed)
            switch reaction {
            case .nothing: break
            case .askingAgain: ask(sharer, for: key, &random, isReaction: true)
            case .askingForAnother: ask(sharer, for: (key + 1) % 3, &random, isReaction: true)
            case .forgetting: forget(sharer, &random)
            case .cancelling: pending.cancelOne(&random)
            }
            return 1
        }
        if random.oneIn(4) { end.cancel() }
        pending.add(end)
    }

    private func hear(_ result: Result<Fetched, any Error>, _ asked: Int) {
        switch result {
        case .success(let page), .failure(let page as Fetched): fetches.hear(page.fetch, asked: asked)
        // The caller's own cancel would not get here.
        case .failure(let error): witness.complain("\(error), although a caller waits")
        }
    }

    /// Returns a closure that starts a run for `key`, which may need a value for another key.
    private func fetching(_ sharer: Sharer, _ key: Int, _ random: inout SplitMix)
        -> @Sendable () throws -> Future<Fetched>
    {
        let (course, object) = (random.pick(Witness.Course.allCases), witness.census.make())
        let inner = key < 2 && random.oneIn(5) ? fetching(sharer, key + 1, &random) : nil
        return { [fetches, witness] in
            let fetch = fetches.begin(key)
            let page = Fetched(fetch: fetch, object: object)
            let end: @Sendable () -> Void = { fetch.end(at: witness.now()) }
            if let inner {
                return sharer.future(for: key + 1, on: .immediate, inner)
                    .mapResult(on: .immediate) { _ in
                        end()
                        return page
                    }
                    .onCancel(on: .immediate, end)
            }
            do {
                return try witness.work(course, end).map(on: .immediate) { _ in page }
                    .recover(on: .immediate) { _ in throw page }
            } catch {
                throw page
            }
        }
    }

    func finish() async {
        if isCancelled {
            // Does not open gates: runs without callers are cancelled.
            await witness.expect("a run continues without callers") {
                self.pending.cancelAll()
            } _: {
                self.pending.isEmptied() && self.fetches.areOver
            }
        }
        await witness.expect("a caller waits forever") { self.pending.isEmptied() && self.fetches.areOver }
        fetches.check()
        if let sharer = sharer.change({ $0.take() }) {
            await expectKept("more is kept than the values") { sharer.count }
        }
        await expectKept("something is kept") { 0 }
    }

    private func expectKept(_ complaint: String, _ count: () -> Int) async {
        await witness.expect(complaint) {
            // A caller that was cancelled while it reacted may have made another call late.
            self.pending.isEmptied() && self.witness.census.alive == count()
        }
    }
}
