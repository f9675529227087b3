// TopLevel: a program that waits in its top-level code, on the real main thread. `TopLevelTests` runs it, once for
// each scenario, and reads what it prints.

import Dispatch
import Futures
import FuturesDiagnostics

// Call sites that must resolve in top-level code, whose variables belong to the main actor.
var count = 0
let value: Future<Int> = Future(1)
let closure: Future<Int> = Future { completion in
    count += 1
    completion(.success(count))
    return NilDisposer()
}
let immediate: Future<Int> = Future(immediate: { count + 1 })
let trailing: Future<Int> = Future { count + 1 }
value.onValue { count += $0 }
let mapped: Future<Int> = value.map { $0 + count }
precondition(count == 2, "Top-level code is on the main actor, and needs no hop to it.")

/// Long enough that it passes only if the library is broken, which then fails instead of hanging.
let testTimeout = Duration.seconds(1200)

switch CommandLine.arguments.dropFirst().first {
case "main queue":
    let future = Future(on: .background, immediate: { 1 }).map(on: .main) { $0 + 1 }.map { $0 + count }
    print(try future.wait(timeout: testTimeout))

case "main actor":
    let promise = Promise<Int>()
    Task { @MainActor in
        await Task.yield()
        promise.succeed(count)
    }
    print(try promise.future.wait(timeout: testTimeout))

case "timer":
    print(try Future("late").delay(by: .milliseconds(1), on: .main).wait(timeout: testTimeout))

case "awaitResult":
    print(
        try awaitResult { finished in
            Task { @MainActor in finished(Result<Int, any Error>.success(count)) }
        })

case "nested, not needed":
    let result = Promise<Int>()
    DispatchQueue.main.async {
        result.complete(Result { try Future(on: .background, immediate: { 3 }).wait(timeout: testTimeout) })
    }
    print(try result.future.wait(timeout: testTimeout))

case "nested, needed":
    DispatchQueue.main.async {
        let future = Promise<Int>.forever.map(on: .background) { $0 }.map(on: .main) { $0 }.map(on: .background) { $0 }
        _ = try? future.wait(timeout: testTimeout)
    }
    _ = try Future<Int>.never.wait(timeout: testTimeout)

case "nested, needed by the main actor":
    Task { @MainActor in
        waitHere(for: Promise<Int>.forever.map { $0 + count })
    }
    _ = try Future<Int>.never.wait(timeout: testTimeout)

case "the first of an operation behind and one on the main queue":
    let (queue, promise) = (FutureQueue(), Promise<Int>())
    // Longer than it takes to look whether the operation waits for its own turn.
    Scheduler.background.async(after: .milliseconds(200)) { promise.succeed(1) }
    let first = queue.on(.main).enqueue {
        let behind = queue.on(.main).enqueue { Future(2) }
        let other = promise.future.map(on: .main) { $0 + 10 }
        return Future(try select(between: [behind, other]).wait(timeout: testTimeout))
    }
    print(try first.wait(timeout: testTimeout))

case "chain":
    Diagnostics.isOn = true
    print(Promise<Int>.forever.map(on: .immediate) { $0 }.chain)

default: print("Which scenario?")
}

/// Waits for `future`. Not an async function, where waiting is unavailable.
@MainActor func waitHere(for future: Future<Int>) {
    _ = try? future.wait(timeout: testTimeout)
}

extension Promise<Int> {
    /// A future whose promise is retained and never completed.
    @MainActor static var forever: Future<Int> { kept.future }
    @MainActor private static let kept = Promise<Int>()
}
