// KeptPermitProgram: a cancelled chain that is kept, whose permits must go back nevertheless.

import Foundation
import Futures
import FuturesTesting

/// A random chain that passes on the permits of some mutexes through random operators. It is cancelled at a random
/// moment, and variables refer to some of its futures for a while.
struct KeptPermitProgram: Sendable {
    enum Operator: CaseIterable {
        case map, mapLater, flatMap, flatMapLater, onValue, delay, shielded
        case join, joinLater, joinFailing, settle, select, selectLost, firstSuccess, timeout, timeoutShort
        case performWhile, onErrorRepeat, recover, another, abort, retry, hedged
    }

    /// What happens between two advances of the clock.
    enum Event {
        /// The permits that were taken before go back, so the chain gets its own.
        case grant
        case cancel, release
        /// A cancel on another thread, while the clock advances.
        case cancelMeanwhile
    }

    private let operators: [Operator]
    /// The number of the future to which a variable refers: 0 is that of the permit itself.
    private let kept: Set<Int>
    private let isGrantedLater: Bool
    private let events: [(time: Duration, event: Event)]

    init(_ random: inout SplitMix) {
        let operators = (0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(Operator.allCases) }
        self.operators = operators
        let isKept = random.oneIn(4)
        kept = Set((0...self.operators.count).filter { _ in isKept || random.oneIn(3) })
        isGrantedLater = random.oneIn(2)
        let cancel = random.oneIn(3) ? Event.cancelMeanwhile : .cancel
        let events = (isGrantedLater ? [Event.grant] : []) + [cancel, .release].shuffled(using: &random)
        self.events = events.map { (.seconds(Int.random(in: 0...4, using: &random)), $0) }
    }

    /// Runs the program. Returns a description of its fault, or nil.
    func complaint() -> String? {
        let run = KeptPermitRun(isGrantedLater)
        var chain = run.lock()
        for (index, next) in operators.enumerated() {
            if kept.contains(index) { run.keep(chain) }
            chain = run.apply(next, to: chain)
        }
        if kept.contains(operators.count) { run.keep(chain) }
        let end = chain.map(on: .immediate) { permits in permits.forEach { $0.release() } }
        chain = .never
        for (time, event) in events {
            if case .cancelMeanwhile = event {
                race(2) { thread in
                    if thread == 0 { end.cancel() } else { run.time.advance(by: time) }
                }
                continue
            }
            run.time.advance(by: time)
            switch event {
            case .grant: run.taken.value.forEach { $0.release() }
            case .cancel, .cancelMeanwhile: end.cancel()
            case .release: run.variables.value = []
            }
        }
        run.time.advance(by: .seconds(100))
        defer { withExtendedLifetime(end) {} }
        guard end.isCompleted else { return "not completed: \(self)" }
        return run.expectFree() ? nil : "\(run.mutexes.entries.count { !$0.isEmpty }) permits are kept: \(self)"
    }
}

/// The futures of one run.
private struct KeptPermitRun: Sendable {
    let time = VirtualTime()
    let mutexes = Log<FutureMutex>()
    let taken = Shared<[Permit]>([])
    let variables = Shared<[Future<[Permit]>]>([])
    private let isGrantedLater: Bool

    init(_ isGrantedLater: Bool) { self.isGrantedLater = isGrantedLater }

    /// The permit of a new mutex, in an array.
    func lock() -> Future<[Permit]> {
        let mutex = FutureMutex()
        mutexes.add(mutex)
        if isGrantedLater { taken.change { $0.append(mutex.acquire().success!) } }
        return mutex.acquire().map(on: .immediate) { [$0] }
    }

    func keep(_ future: Future<[Permit]>) { variables.change { $0.append(future) } }

    func apply(_ next: KeptPermitProgram.Operator, to future: Future<[Permit]>) -> Future<[Permit]> {
        let scheduler = time.scheduler
        @Sendable func later<T: Sendable>(_ value: T) -> Future<T> {
            Future(value).delay(by: .seconds(2), on: scheduler)
        }
        switch next {
        case .map: return future.map(on: .immediate) { $0 }
        case .mapLater: return future.map(on: scheduler) { $0 }
        case .flatMap: return future.flatMap(on: .immediate) { Future($0) }
        case .flatMapLater: return future.flatMap(on: scheduler) { later($0) }
        case .onValue: return future.onValue(on: .immediate) { _ in }
        case .delay: return future.delay(by: .seconds(2), on: scheduler)
        case .shielded: return future.shieldedFromCancellation()
        case .join: return join(future, Future(1)).map(on: .immediate) { $0.0 }
        case .joinLater: return join([future, later([])]).map(on: .immediate) { $0[0] }
        case .joinFailing:
            return join(future, later(1).map(on: .immediate) { _ in throw Oops() }).map(on: .immediate) { $0.0 }
        case .settle: return Future.settle([future]).map(on: .immediate) { try $0[0].get() }
        case .select: return select(between: [future, .never])
        case .selectLost: return select(between: [later([]), future])
        case .firstSuccess: return Future.firstSuccess(of: [future, Future(error: Oops())])
        case .timeout: return future.timeout(after: .seconds(9), on: scheduler)
        case .timeoutShort: return future.timeout(after: .seconds(1), on: scheduler)
        case .performWhile: return future.performWhile(on: .immediate) { NilDisposer() }
        case .onErrorRepeat: return future.onErrorRepeat(on: .immediate, maxRepetitions: 1)
        case .retry:
            return future.retry(
                RetryPolicy(.constant(.seconds(1)), maxRepetitions: 1, timeLimit: .seconds(9)), on: scheduler)
        case .hedged: return future.hedged(after: .seconds(3), on: scheduler)
        case .recover: return future.recover(on: .immediate) { _ in [] }
        case .another: return join(future, lock()).map(on: .immediate) { $0.0 + $0.1 }
        case .abort: return future.abort(forFutures: [later(1)])
        }
    }

    /// Whether all permits go back soon.
    func expectFree() -> Bool {
        let end = ContinuousClock.now + testTimeout
        while mutexes.entries.contains(where: { !$0.isEmpty }) {
            guard ContinuousClock.now < end else { return false }
            sched_yield()
            // A repetition of a shielded future may have got the permit.
            time.advance(by: .seconds(100))
        }
        return true
    }
}
