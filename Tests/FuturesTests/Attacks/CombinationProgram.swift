// CombinationProgram: a tree of combinations that several threads complete, cancel, read, repeat and release.

import Foundation
import Futures

/// A random tree of combinations, which alone retain most of their futures: results are released early.
final class CombinationProgram: Sendable {
    private struct Key: Hashable, Sendable {
        let number: Int

        static func == (a: Key, b: Key) -> Bool { a.number == b.number }
        /// User code that runs while a join reads its futures; it may take long.
        func hash(into hasher: inout Hasher) {
            sched_yield()
            hasher.combine(number)
        }
    }

    let census = Census()
    private let promises = Shared<[Promise<Sheet>]>([]), held = Shared<[Future<Sheet>]>([])
    private let queue = FutureQueue(maxConcurrentCount: 2), numbers = AtomicCounter()
    private let fault = Shared<String?>(nil)

    init(_ random: inout SplitMix) {
        let root = combination(&random, depth: Int.random(in: 1...3, using: &random))
        held.change { $0.insert(root, at: 0) }
    }

    var complaint: String? { fault.value }

    private func complain(_ complaint: String) { fault.change { if $0 == nil { $0 = complaint } } }

    private func look(at result: Result<Sheet, any Error>?) {
        if case .success(let sheet)? = result, !sheet.isWhole { complain("a value was released") }
        if case .failure(let error as TooFewSuccessesError)? = result, error.errors.isEmpty {
            complain("errors are gone")
        }
    }

    private func sheet() -> Sheet { Sheet(numbers.up(), census) }

    private func leaf(_ random: inout SplitMix) -> Future<Sheet> {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: return Future(on: .immediate, immediate: { self.sheet() })
        case 4: return Future(on: .immediate, immediate: { self.sheet() }).map(on: .immediate) { _ in throw Oops(1) }
        case 5: return Future(on: .background, immediate: { self.sheet() })
        case 6: return queue.on(.immediate).enqueue { Future(self.sheet()) }
        case 7: return Future(sheet())
        default:
            let promise = Promise<Sheet>()
            promises.change { $0.append(promise) }
            return promise.future.map(on: .immediate) { $0 }
        }
    }

    private func combination(_ random: inout SplitMix, depth: Int) -> Future<Sheet> {
        guard depth > 0, !random.oneIn(6) else { return leaf(&random) }
        let all = (0..<Int.random(in: 2...(random.oneIn(4) ? 20 : 4), using: &random)).map { _ in
            combination(&random, depth: depth - 1)
        }
        if random.oneIn(8) { held.change { $0.append(all[0]) } }
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return join(all, cancelNonCompleted: random.oneIn(2)).map(on: .immediate) { Sheet($0) }
        case 1:
            return join(Dictionary(uniqueKeysWithValues: all.enumerated().map { (Key(number: $0), $1) }))
                .map(on: .immediate) { Sheet(Array($0.values)) }
        case 2: return join(all[0], all[1]).map(on: .immediate) { Sheet([$0, $1]) }
        case 3, 4: return Future.settle(all).map(on: .immediate) { Sheet($0.compactMap { try? $0.get() }) }
        case 5:
            return Future.first(Int.random(in: 1...all.count, using: &random), of: all)
                .map(on: .immediate) { Sheet($0) }
        case 6: return Future.firstSuccess(of: all)
        case 7: return select(between: all)
        case 8: return select(all[0], or: all[1]).map(on: .immediate) { $0.any }
        case 9: return all[0].timeout(on: .background, after: .seconds(100)) { .never }
        case 10: return all[0].timeout(after: .seconds(100), on: .background)
        case 11: return all[0].abort(forFutures: [all[1]])
        case 12: return all[0].performWhile(on: .immediate) { Disposer {} }.shieldedFromCancellation()
        default:
            let (other, delay) = (all[1], Duration.microseconds(Int.random(in: 0..<50, using: &random)))
            return all[0].flatMap(on: .immediate) { sheet in
                other.map(on: .immediate) { Sheet([$0, sheet]) }
            }.delay(by: delay, on: .background)
        }
    }

    /// Completes all promises but the first, which may then complete a combination.
    func completeAllButOne() {
        for promise in promises.value.dropFirst() { promise.succeed(sheet()) }
    }

    func run(_ thread: Int, _ random: inout SplitMix) {
        let root = held.change { $0[0] }
        switch thread {
        case 0:
            for promise in promises.value.shuffled(using: &random) {
                if random.oneIn(4) { promise.fail(Oops(2)) } else { promise.succeed(sheet()) }
            }
        case 1:
            if random.oneIn(4) { held.change { $0.randomElement(using: &random) }?.cancel() }
            root.cancel()
        case 2:
            for future in held.value.reversed() {
                look(at: future.result)
                let listener = future.onResult(on: .immediate) { self.look(at: $0) }
                if random.oneIn(2) { listener.cancel() }
            }
        default:
            let again = root.onResultRepeat(on: .immediate, maxRepetitions: Int.random(in: 1...20, using: &random)) {
                self.look(at: $0)
                return true
            }
            if random.oneIn(2) { again.cancel() }
            look(at: again.result)
        }
    }

    /// Completes everything, and checks that nothing is lost or left.
    func finish() {
        let all = held.value
        for promise in promises.value { promise.succeed(sheet()) }
        for future in all {
            if !future.comes() { complain("a future is pending") }
            look(at: future.result)
        }
        promises.value = []
        held.value = []
        queue.cancelAll()
    }
}
