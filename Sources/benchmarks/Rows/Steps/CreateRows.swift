// Create rows: futures that are created completed, and futures that an operation completes.

import Futures

/// Futures that are created completed, and futures that an operation completes.
let createRows = [
    Row(
        name: "create completed, drop",
        contestants: [
            Contestant(.futures) { passes in
                for pass in 0..<passes { escape(Future(pass)) }
            },
            Contestant(.callback) { passes in
                for pass in 0..<passes { escape(Callback(pass)) }
            },
        ]),
    Row(
        name: "Future { completion in }, one listener",
        contestants: [
            Contestant(.futures) { passes in
                for pass in 0..<passes {
                    let future = Future<Int>(on: .immediate) { completion in
                        inProgress = completion
                        return NilDisposer()
                    }
                    future.onValue(on: .immediate) { sink = $0 }
                    inProgress?(.success(pass))
                    inProgress = nil
                }
            },
            // The same workload as for a promise: hand-written code would not differ.
            Contestant(.callback, completeCallbacks),
            Contestant(.fullCallback) { passes in
                for pass in 0..<passes {
                    let callback = FullCallback { completer in
                        completerInProgress = completer
                        return nil
                    }
                    callback.onValue { sink = $0 }
                    completerInProgress?.complete(.success(pass))
                    completerInProgress = nil
                }
            },
        ]),
    Row(
        name: "Future { completion in } with a Disposer, one listener",
        contestants: [
            Contestant(.futures) { passes in
                for pass in 0..<passes {
                    let future = Future<Int>(on: .immediate) { completion in
                        let request = Request()
                        inProgress = completion
                        return Disposer { request.stop() }
                    }
                    future.onValue(on: .immediate) { sink = $0 }
                    inProgress?(.success(pass))
                    inProgress = nil
                }
            },
            Contestant(.fullCallback) { passes in
                for pass in 0..<passes {
                    let callback = FullCallback { completer in
                        let request = Request()
                        completerInProgress = completer
                        return { request.stop() }
                    }
                    callback.onValue { sink = $0 }
                    completerInProgress?.complete(.success(pass))
                    completerInProgress = nil
                }
            },
        ]),
]

/// What an operation begins, and its disposable stops.
private final class Request: Sendable {
    @inline(never)
    init() {}

    @inline(never)
    func stop() {}
}

/// The completion that an operation, such as a request, retains until it has its result.
private nonisolated(unsafe) var inProgress: Future<Int>.Completion?
private nonisolated(unsafe) var completerInProgress: FullCompleter?
