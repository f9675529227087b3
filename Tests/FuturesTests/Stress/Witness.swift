// Witness: the order of several threads' actions on one object, and the first fault.

import Dispatch
import Futures

/// Observes a random program in several threads, and records the first fault.
final class Witness: Sendable {
    /// Counts the objects that the program hands out.
    let census = Census()
    private let moments = AtomicCounter(), gates = Shared<[@Sendable () -> Void]>([])
    private let first = Shared<String?>(nil)

    var complaint: String? { first.value }

    func complain(_ complaint: String) { first.change { if $0 == nil { $0 = complaint } } }

    /// Returns a moment: an event that precedes another one has an earlier moment.
    func now() -> Int { moments.up() }

    /// Waits until `condition` holds, and meanwhile calls `pump` or opens gates, without blocking threads of tasks.
    func expect(_ complaint: String, _ pump: (() -> Void)? = nil, _ condition: () -> Bool) async {
        if await !comesTrue(while: pump ?? openGates, condition) { complain(complaint) }
    }
}

extension Witness {
    enum Course: CaseIterable {
        case throwing, failing, immediate, background, otherThread, gated
    }

    /// Returns the future of an operation, which calls `end` before it completes, sometimes twice.
    // Both call it: when a cancel lets the next one start, the callback of a completion may still be on its way.
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
            let future = Future(on: .background) {
                end()
                return object.pass(1)
            }
            return future.onCancel(on: .immediate, end)
        case .otherThread:
            return Future(on: .immediate) { completion in
                otherThreads.async {
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
            gates.change {
                $0.append {
                    end()
                    gate.succeed(1)
                }
            }
            return gate.future.map(on: .immediate) { object.pass($0) }.onCancel(on: .immediate, end)
        }
    }

    func openGates() {
        for gate in gates.takeAll() { gate() }
    }

    /// Runs the operation of a task, which calls `end` before it completes.
    func task(_ course: Course, _ end: @escaping @Sendable () -> Void) async throws -> Int {
        defer { end() }
        if course != .immediate { await Task.yield() }
        if course == .throwing { throw Oops() }
        return 1
    }
}

/// The futures that a program has started. They can be cancelled, and all of them must complete.
final class Pending: Sendable {
    private let futures = Shared<[Future<Int>]>([])

    func add(_ future: Future<Int>) { futures.change { $0.append(future) } }

    func one(_ random: inout SplitMix) -> Future<Int>? { futures.change { $0.randomElement(using: &random) } }

    func cancelOne(_ random: inout SplitMix) { one(&random)?.cancel() }

    func cancelAll() {
        for future in futures.value { future.cancel() }
    }

    /// Removes the futures that have completed. Returns whether none is left.
    // The futures are released without the lock, as what they retain may call this object.
    func isEmptied() -> Bool {
        let (all, isEmpty) = futures.change { futures in
            let all = futures
            futures = all.filter { !$0.isCompleted }
            return (all, futures.isEmpty)
        }
        withExtendedLifetime(all) {}
        return isEmpty
    }
}
