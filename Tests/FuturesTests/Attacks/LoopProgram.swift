// LoopProgram: a nest of loops, the outermost without an end, that is cancelled from within or from outside.

import Futures
import Testing

/// A random nest of loops of futures, most of which complete at once. The outermost one ends when it is cancelled.
struct LoopProgram: Sendable, CustomStringConvertible {
    enum Kind: CaseIterable {
        case values, askedValues, errors, retry, collected, mapFour, forEach, recursion, progression
    }

    indirect enum Tree: Sendable {
        case leaf(Leaf)
        /// A loop of `count` runs; without an end, if it is nil.
        case loop(Kind, count: Int?, Tree)
        case queued(Tree), batched(Tree), mapped(Tree), limited(Tree), selected(Tree), joined(Tree)
    }

    enum Leaf: CaseIterable {
        case completed, started, enqueued, direct, hopped
    }

    enum Place: CaseIterable { case immediate, serial, concurrent }

    /// Who cancels: the leaf itself, another thread that it tells, or other work of the loop's scheduler.
    enum Canceller: CaseIterable { case leaf, thread, otherWork }

    let tree: Tree
    let place: Place
    let canceller: Canceller
    /// After how many leaves a leaf cancels the nest.
    let cancelledAfter: Int
    let isInCallback: Bool

    init(_ random: inout SplitMix) {
        place = random.pick(Place.allCases)
        canceller = place == .immediate ? random.pick([.leaf, .thread]) : random.pick(Canceller.allCases)
        cancelledAfter = random.pick([1, 2, 3, 17, 63, 64, 65, 255, 256, 257, 600])
        // On `.immediate`, a loop without an end that is not in a callback never returns.
        isInCallback = place == .immediate || random.oneIn(2)
        var kinds = Kind.allCases
        // A recursion is the user's loop: it does not let other work run.
        if canceller == .otherWork { kinds.removeAll { $0 == .recursion } }
        let height = Int.random(in: 0...2, using: &random)
        tree = .loop(random.pick(kinds), count: nil, Self.tree(&random, height))
    }

    private static func tree(_ random: inout SplitMix, _ height: Int) -> Tree {
        guard height > 0 else { return .leaf(random.pick(Leaf.allCases)) }
        let inner = tree(&random, height - 1)
        return switch Int.random(in: 0..<11, using: &random) {
        case 0: .queued(inner)
        case 1: .batched(inner)
        case 2: .mapped(inner)
        case 3: .limited(inner)
        case 4: .selected(inner)
        case 5: .joined(inner)
        default: .loop(random.pick(Kind.allCases), count: Int.random(in: 1...5, using: &random), inner)
        }
    }

    /// The most leaves in one run of the outermost loop.
    var leavesPerRun: Int { Self.leaves(of: tree) }

    private static func leaves(of tree: Tree) -> Int {
        switch tree {
        case .leaf: 1
        case .loop(_, let count, let inner): (count ?? 1) * leaves(of: inner)
        case .queued(let inner), .batched(let inner), .mapped(let inner), .limited(let inner),
            .selected(let inner):
            leaves(of: inner)
        case .joined(let inner): 2 * leaves(of: inner)
        }
    }

    var description: String {
        "\(tree) on \(place), cancelled by \(canceller) after \(cancelledAfter)\(isInCallback ? ", in a callback" : "")"
    }
}

/// What the futures of a program share.
struct LoopContext: Sendable {
    let scheduler: Scheduler
    let run: @Sendable () throws -> Void
    let queue = FutureQueue<Void>()
}

private struct Again: Error {}

private struct Stage: Progression {
    let left: Int
    let run: @Sendable () -> Future<Void>
    var result: Void? { left == 0 ? () : nil }

    func next() -> Deferred<Stage> {
        Deferred.following { run().map(on: .immediate) { Stage(left: left - 1, run: run) } }
    }
}

extension LoopProgram.Tree {
    func start(_ context: LoopContext) -> Future<Void> {
        let s = context.scheduler
        switch self {
        case .leaf(let leaf): return leaf.start(context)
        case .loop(let kind, let count, let inner): return kind.start(count ?? 1 << 40, s) { inner.start(context) }
        case .queued(let inner): return FutureQueue<Void>().on(s).enqueue { inner.start(context) }
        case .batched(let inner): return FutureQueue<Void>().on(s).enqueueBatch { _ in inner.start(context) }
        case .mapped(let inner): return inner.start(context).map(on: s) { $0 }
        case .limited(let inner): return inner.start(context).timeout(after: .seconds(3600), on: s)
        case .selected(let inner): return select(between: [inner.start(context), .never])
        case .joined(let inner): return join([inner.start(context), inner.start(context)]).asVoid()
        }
    }
}

extension LoopProgram.Leaf {
    func start(_ context: LoopContext) -> Future<Void> {
        let (s, run) = (context.scheduler, context.run)
        return switch self {
        case .completed: Future(result: Result { try run() })
        case .started: Future(on: s, immediate: run)
        case .enqueued: context.queue.on(s).enqueue { Future(result: Result { try run() }) }
        case .direct: context.queue.on(s).run(run)
        case .hopped: Future(1).map(on: .background) { _ in try run() }
        }
    }
}

extension LoopProgram.Kind {
    /// Starts a loop of `count` runs, at least one.
    func start(_ count: Int, _ s: Scheduler, _ run: @escaping @Sendable () -> Future<Void>) -> Future<Void> {
        let numbers = 0..<count
        // Made anew for each run: `run()` may have completed, and a repetition would start a completed one only once.
        let once = Future<Void>().flatMap(on: s, run)
        return switch self {
        case .values: once.onValueRepeat(on: s, maxRepetitions: count - 1)
        case .askedValues: once.onValueRepeat(on: s, maxRepetitions: count - 1) { Future(true) }
        case .errors:
            once.map(on: s) { throw Again() }.onErrorRepeat(on: s, maxRepetitions: count - 1) { $0 is Again }
                .recover(on: s) { if !($0 is Again) { throw $0 } }
        case .retry:
            once.map(on: s) { throw Again() }
                .retry(RetryPolicy(.constant(.zero), maxRepetitions: count - 1, when: { $0 is Again }), on: s)
                .recover(on: s) { if !($0 is Again) { throw $0 } }
        case .collected: once.repeatAndCollect(on: s, maxRepetitions: count - 1).asVoid()
        case .mapFour: numbers.mapToFuture(on: s, maxConcurrentCount: 4) { _ in run() }.asVoid()
        case .forEach:
            numbers.forEachToFuture(on: s, { _ in run() }, onResult: { try $0.1.get() })
        case .recursion: recursion(count, s, run)
        case .progression: Stage(left: count, run: run).run(on: s)
        }
    }

    private func recursion(
        _ count: Int, _ s: Scheduler, _ run: @escaping @Sendable () -> Future<Void>
    ) -> Future<Void> { run().flatMap(on: s) { count > 1 ? recursion(count - 1, s, run) : Future() } }
}
