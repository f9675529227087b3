// Create rows: futures that are there, and futures that somebody completes.

import Futures

/// Futures that are there, and futures that an operation completes.
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
            // The same as for a promise: by hand it would be.
            Contestant(.callback, completeCallbacks),
        ]),
]

/// What an operation, such as a request, keeps until it has its result.
private nonisolated(unsafe) var inProgress: Future<Int>.Completion?
