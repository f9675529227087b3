// Emptying rows: the memory saved by releasing results early.

import Futures

/// The memory saved by releasing each result once it has been passed on, although the chain retains its sources to be
/// repeatable: 200 maps over values of 1 MiB, of which only the last is retained. The hand-written chain (CB+rerun)
/// retains all of them.
///
/// The second row shows the cost for objects.
let emptyingRows = [
    Row(
        name: "early release: 200 maps over values of 1 MiB", operations: 200, isOnePass: true,
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
            Contestant(.callback(with: .rerun)) { _ in
                let start = RecipeCallback<[UInt8]>()
                var last = start
                for _ in 0..<200 { last = last.map { next($0) } }
                start.complete(first)
                Held.look()
                precondition(last.value != nil)
            },
        ]),
    Row(
        name: "early release: 10 maps of objects, per map", operations: 10,
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let promise = Promise<Object>()
                    escape(promise)
                    var last = promise.future
                    for _ in 0..<10 { last = last.map(on: .immediate) { $0 } }
                    promise.succeed(object)
                    precondition(last.isCompleted)
                }
            },
            Contestant(.callback(with: .rerun)) { passes in
                for _ in 0..<passes {
                    let start = RecipeCallback<Object>()
                    var last = start
                    for _ in 0..<10 { last = last.map { $0 } }
                    start.complete(object)
                    precondition(last.value != nil)
                }
            },
        ]),
]

private final class Object: Sendable {}
private let object = Object()

private let first = [UInt8](repeating: 1, count: 1 << 20)

/// Returns another value of the same size.
private func next(_ value: [UInt8]) -> [UInt8] { [UInt8](repeating: value[0] &+ 1, count: value.count) }
