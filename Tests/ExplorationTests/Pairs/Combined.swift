// Combinations: what happens to their children while they are attached to, cancelled and released.

import Futures

/// A combination of two futures as a future of one value.
private typealias Combine = @Sendable (Future<Tracked>, Future<Tracked>) -> Future<Tracked>

private let combinations: KeyValuePairs<String, Combine> = [
    "join": { a, b in join([a, b]).map(on: .immediate) { Tracked($0[0].number + $0[1].number) } },
    "join of a pair": { a, b in join(a, b).map(on: .immediate) { Tracked($0.0.number + $0.1.number) } },
    "settle": { a, b in
        Future.settle([a, b]).map(on: .immediate) { try Tracked($0[0].get().number + $0[1].get().number) }
    },
    "select": { a, b in select(between: [a, b]) },
    "firstSuccess": { a, b in Future.firstSuccess(of: [a, b]) },
    "first": { a, b in Future.first(1, of: [a, b]).map(on: .immediate) { $0[0] } },
]

let combinedSubjects = combinations.map { name, combine in
    Subject(name) {
        let sources = [Source(1), Source(2)]
        let child = Consumed(sources[1].future.map(on: .immediate) { $0 })
        let future = Consumed(combine(sources[0].future.map(on: .immediate) { $0 }, child.future.value!))
        return .init(
            actions: [
                "complete": sources[0].complete, "fail": sources[0].fail, "complete the other one": sources[1].complete,
                "abandon the other one": sources[1].abandon, "attach": future.attach, "cancel": future.cancel,
                "release": future.release, "attach to a child": child.attach, "cancel a child": child.cancel,
                "release a child": child.release, "read a child": child.read,
            ],
            ending: sources, future, child)
    }
}
