// Abandonment rows: what rule 6 costs.

import Futures

/// What it costs that a promise which is let go of fails its future: by hand, an object whose deinit does so.
let abandonmentRows = [
    Row(
        name: "rule 6, abandonment: promise, one listener",
        price: Price(rule: "rule 6", without: .callback, with: .callback(withRule: 6)),
        contestants: [
            Contestant(.futures, completePromises),
            Contestant(.callback, completeCallbacks),
            Contestant(.callback(withRule: 6)) { passes in
                for pass in 0..<passes {
                    let completer = Completer()
                    completer.callback.onValue { sink = $0 }
                    completer.callback.complete(.success(pass))
                }
            },
        ])
]
