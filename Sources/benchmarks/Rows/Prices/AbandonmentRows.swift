// Abandonment rows: the cost of failing the future of a released promise.

import Futures

/// The cost of failing the future of a released promise. By hand, an object's deinit fails the callback.
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
