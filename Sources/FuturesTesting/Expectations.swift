// expectCompletes, expectNeverCompletes, expectReleased: what tests assert of futures and of what they retain.

import Dispatch
import Futures

/// The error of an expectation that is not met.
package struct ExpectationFailed: Error, CustomStringConvertible {
    /// What was expected, where, and what is the case instead.
    package let description: String

    init(_ text: String, _ file: StaticString, _ line: UInt) { description = "At \(file):\(line): \(text)" }
}

/// Waits until `future` completes, and returns its value or throws its error.
///
/// Use it on real threads and in a ``Simulation``. With virtual time, use
/// ``VirtualTime/expectCompletes(_:within:file:line:)``.
///
/// - Parameters:
///   - future: The future that has to complete.
///   - limit: How long to wait, at most. If it is nil, ten seconds; in a simulation, until nothing more can run.
///   - file: The file in errors and reports.
///   - line: The line in errors and reports.
/// - Returns: The value of the future.
/// - Throws: The error of the future; an error if it is still pending, with its chain and, while
///   diagnosing is on, a report of everything that is pending.
@discardableResult
@available(*, noasync, message: "Write try await expectCompletes(…), which blocks no thread of the concurrency pool.")
public func expectCompletes<Value: Sendable>(
    _ future: Future<Value>, within limit: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
) throws -> Value {
    let limit = limit ?? (Worlds.here == nil ? .seconds(10) : nil)
    do { return try future.wait(timeout: limit, file: file, line: line) } catch {
        if future.isCompleted { throw error }
        throw ExpectationFailed(pending(future), file, line)
    }
}

/// Waits until `future` completes, without blocking a thread, and returns its value or throws its error.
///
/// - Parameters:
///   - future: The future that has to complete. It is cancelled if it does not, unless it has other listeners.
///   - limit: How long to wait, at most. If it is nil, ten seconds; in a simulation, until nothing more can run.
///   - file: The file in errors and reports.
///   - line: The line in errors and reports.
/// - Returns: The value of the future.
/// - Throws: The error of the future; an error if it is still pending, with its chain and, while
///   diagnosing is on, a report of everything that is pending.
@discardableResult
public func expectCompletes<Value: Sendable>(
    _ future: Future<Value>, within limit: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
) async throws -> Value {
    guard let limit = limit ?? (Worlds.here == nil ? .seconds(10) : nil) else { return try await future.value }
    // Read before the future is cancelled, and on a thread that no other code blocks.
    let late = Future().delay(by: limit, on: .unblocked).map(on: .immediate) { pending(future) }
    switch try await select(future, or: late).value {
    case .left(let value): return value
    case .right(let words): throw ExpectationFailed(words, file, line)
    }
}

/// Gives up the reference in `object`, and expects that the object is deallocated: that no future, timer, queue, bag or
/// closure retains it.
///
///     var client: Client? = Client()
///     client?.start()
///     client?.stop()
///     try expectReleased(&client)
///
/// To check that a closure is released, let it capture an object. In a ``Simulation`` this runs the jobs that are left.
/// With virtual time, run what is due before.
///
/// - Parameters:
///   - object: The last reference of the test. It is nil afterward.
///   - limit: How long to wait, at most, for other threads to release the object. It returns as soon as they have.
///   - file: The file in errors and reports.
///   - line: The line in errors and reports.
/// - Throws: An error if the object is still alive, which says what to look for.
public func expectReleased<Object: AnyObject>(
    _ object: inout Object?, within limit: Duration = .seconds(10), file: StaticString = #fileID, line: UInt = #line
) throws {
    guard object != nil else { throw ExpectationFailed("There is no object to be released: it is nil.", file, line) }
    weak let known = object
    object = nil
    if let world = Worlds.here {
        do { try world.run(until: { known == nil }, timeout: nil) { "a deallocation" } } catch is Simulation.Stuck {}
    } else {
        let (end, pause) = (ContinuousClock.now + limit, DispatchSemaphore(value: 0))
        while known != nil, ContinuousClock.now < end { pause.wait(for: .milliseconds(1)) }
    }
    guard let known else { return }
    throw ExpectationFailed(
        "\(type(of: known)) is still referenced. Look for a pending future, timer or operation whose closure captures it: "
            + "cancel that, or complete its promise. Look for a variable, property or bag with a future or disposable whose "
            + "closure captures it: a future retains its closures, also when it has completed, because it can be repeated. "
            + "If the object owns that future itself, capture the object weakly." + everythingPending, file, line)
}
