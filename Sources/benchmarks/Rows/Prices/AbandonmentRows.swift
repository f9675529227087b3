// Abandonment rows: what it costs that a released promise fails its future.

import Futures

/// What it costs that a promise which is let go of fails its future: by hand, an object whose deinit does so.
let abandonmentRows = [
    Row(
        name: "abandonment: promise, one listener",
        price: Price(rule: "abandonment", without: .callback, with: .callback(with: .abandon)),
        contestants: [
            Contestant(.futures, completePromises),
            Contestant(.callback, completeCallbacks),
            Contestant(.callback(with: .abandon)) { passes in
                for pass in 0..<passes {
                    let completer = Completer()
                    completer.callback.onValue { sink = $0 }
                    completer.callback.complete(.success(pass))
                }
            },
        ])
]
