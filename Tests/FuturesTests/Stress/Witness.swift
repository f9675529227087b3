// Witness: what several threads do to something, in which order, and what was wrong then.

import Dispatch
import Futures

/// Sees what a random program does in several threads, and keeps the first thing that was wrong.
final class Witness: Sendable {
    /// Of what the program hands out to be released.
    let census = Census()
    private let moments = AtomicCounter()
    private let gates = Guarded<[@Sendable () -> Void]>([])
    private let first = Guarded<String?>(nil)

    /// What was wrong first.
    var complaint: String? { first.with { $0 } }

    func complain(_ complaint: String) {
        first.with { if $0 == nil { $0 = complaint } }
    }

    /// A moment: what ended before another thing began has an earlier one.
    func now() -> Int { moments.up() }

    /// Waits until `condition` holds, and calls `pump` meanwhile, or opens gates. It blocks no thread that tasks need.
    func expect(_ complaint: String, _ pump: (() -> Void)? = nil, _ condition: () -> Bool) async {
        if await !comesTrue(while: pump ?? openGates, condition) { complain(complaint) }
    }
}

extension Witness {
    /// How an operation goes, which tells when it is over.
    enum Course: CaseIterable {
        case throwing, failing, immediate, background, otherThread, gated
    }

    /// The future of an operation, which calls `end` before it is over, now and then twice.
    // By whoever completes it, and by a cancel: a callback of it could still be on its way there in one thread when
    // another one has cancelled it, and the next operation begins.
    func work(_ course: Course, _ end: @escaping @Sendable () -> Void) throws -> Future<Int> {
        let object = census.make()
        switch course {
        case .throwing:
            end()
            throw Oops()
        case .failing:
            end()
            return Future(error: Oops())
        case .immediate:
            end()
            return Future(1)
        case .background:
            let future = Future(
                on: .concurrentBackground,
                catching: {
                    end()
                    return object.pass(1)
                })
            return future.onCancel(on: .immediate, end)
        case .otherThread:
            return Future(on: .immediate) { completion in
                DispatchQueue.global().async {
                    end()
                    completion(.success(1))
                }
                return Disposer {
                    object.touch()
                    end()
                }
            }
        case .gated:
            let gate = Promise<Int>()
            gates.with {
                $0.append {
                    end()
                    gate.succeed(1)
                }
            }
            return gate.future.map(on: .immediate) { object.pass($0) }.onCancel(on: .immediate, end)
        }
    }

    /// Completes what waits for nothing else.
    func openGates() {
        let open = gates.with { gates in
            defer { gates = [] }
            return gates
        }
        for gate in open { gate() }
    }

    /// The operation of a task, which calls `end` before it is over.
    func task(_ course: Course, _ end: @escaping @Sendable () -> Void) async throws -> Int {
        defer { end() }
        if course != .immediate { await Task.yield() }
        if course == .throwing { throw Oops() }
        return 1
    }
}

/// What a program has begun: they can be cancelled, and are all to end.
final class Pending: Sendable {
    private let futures = Guarded<[Future<Int>]>([])

    func add(_ future: Future<Int>) { futures.with { $0.append(future) } }

    func cancelOne(_ random: inout SplitMix) {
        futures.with { $0.randomElement(using: &random) }?.cancel()
    }

    func cancelAll() {
        for future in futures.with({ $0 }) { future.cancel() }
    }

    /// Lets go of those that are over; whether none is left.
    // They are released without the lock: what they keep may come back here.
    func isEmptied() -> Bool {
        let (all, isEmpty) = futures.with { futures in
            let all = futures
            futures = all.filter { !$0.isCompleted }
            return (all, futures.isEmpty)
        }
        withExtendedLifetime(all) {}
        return isEmpty
    }
}

extension SplitMix {
    /// Once in so many times.
    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func pick<T>(_ choices: [T]) -> T { choices.randomElement(using: &self)! }

    /// No time limit, or a short one.
    mutating func limit() -> Duration? {
        oneIn(4) ? .microseconds(Int.random(in: 0..<300, using: &self)) : nil
    }
}
