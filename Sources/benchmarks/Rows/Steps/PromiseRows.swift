// Promise rows: promises with one listener.

import Futures

/// Promises with one listener, which are then completed.
let promiseRows = [
    Row(
        name: "promise, one listener, complete",
        contestants: [
            Contestant(.futures, completePromises),
            Contestant(.callback, completeCallbacks),
            Contestant(.fullCallback) { passes in
                for pass in 0..<passes {
                    let completer = FullCompleter(FullCallback())
                    completer.callback.onValue { sink = $0 }
                    completer.complete(.success(pass))
                }
            },
            Contestant(.concurrency) { passes in
                inTask {
                    for pass in 0..<passes {
                        sink = await withUnsafeContinuation { $0.resume(returning: pass) }
                    }
                }
            },
        ]),
    Row(
        name: "promise, one listener where attached, complete",
        contestants: [
            Contestant(.futures) { passes in
                Scheduler.background.perform {
                    for pass in 0..<passes {
                        let promise = Promise<Int>()
                        escape(promise)
                        promise.future.onValue { sink = $0 }
                        promise.succeed(pass)
                    }
                }
            },
            Contestant(.callback, completeCallbacks),
        ]),
]

@Sendable
func completePromises(_ passes: Int) {
    for pass in 0..<passes {
        let promise = Promise<Int>()
        escape(promise)
        promise.future.onValue(on: .immediate) { sink = $0 }
        promise.succeed(pass)
    }
}

@Sendable
func completeCallbacks(_ passes: Int) {
    for pass in 0..<passes {
        let callback = Callback()
        callback.onValue { sink = $0 }
        callback.complete(.success(pass))
    }
}
