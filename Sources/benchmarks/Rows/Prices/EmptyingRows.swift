// Emptying rows: what rule 19 saves.

import Futures

/// 200 maps over values of 1 MiB, the last one held. The chain keeps its sources, to be repeatable: what it must not
/// keep is their results. By hand (CB+17), it does.
let emptyingRows = [
    Row(
        name: "rule 19, emptying: 200 maps over values of 1 MiB", operations: 200, isOnePass: true,
        contestants: [
            Contestant(.futures) { _ in
                let promise = Promise<[UInt8]>()
                escape(promise)
                var last = promise.future
                for _ in 0..<200 { last = last.map(on: .immediate) { next($0) } }
                promise.succeed(first)
                Held.look()
                precondition(last.isCompleted)
            },
            Contestant(.callback(withRule: 17)) { _ in
                let start = RecipeCallback<[UInt8]>()
                var last = start
                for _ in 0..<200 { last = last.map { next($0) } }
                start.complete(first)
                Held.look()
                precondition(last.value != nil)
            },
        ])
]

private let first = [UInt8](repeating: 1, count: 1 << 20)

/// Another value of the same size.
private func next(_ value: [UInt8]) -> [UInt8] { [UInt8](repeating: value[0] &+ 1, count: value.count) }
