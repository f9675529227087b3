// Scenes: what the timelines of the guides show. All of it is run; nothing is drawn by hand.

import Futures

/// A part of a picture: a caption, and what happens below it.
struct Scene: Sendable {
    let caption: String
    let act: @Sendable (Stage) -> Void

    static let combining = [
        Scene(caption: "join: all values") { stage in
            let (a, b, c) = stage.inputs()
            stage.show("join", join([a, b, c]))
        },
        Scene(caption: "join: fails with the first error") { stage in
            let (a, b, c) = stage.inputs(b: nil)
            stage.show("join", join([a, b, c]))
        },
        Scene(caption: "settle: all results") { stage in
            let (a, b, c) = stage.inputs(b: nil)
            stage.show("settle", Future.settle([a, b, c]).map(on: .immediate) { $0.map { (try? $0.get()) ?? "✕" } })
        },
        Scene(caption: "select: the first result") { stage in
            let (a, b, c) = stage.inputs()
            stage.show("select", select(between: [a, b, c]))
        },
        Scene(caption: "firstSuccess: the first value") { stage in
            let (a, b, c) = stage.inputs(a: nil)
            stage.show("firstSuccess", Future.firstSuccess(of: [a, b, c]))
        },
        Scene(caption: "first(2): the first two values") { stage in
            let (a, b, c) = stage.inputs()
            stage.show("first(2)", first(2, of: [c, b, a]))
        },
    ]

    static let repeating = [
        Scene(caption: "retry, with exponential backoff") { stage in
            let page = stage.operation(on: stage.track("page"), runs: (0.5, nil), (0.5, nil), (0.5, nil), (0.5, "page"))
            let policy = RetryPolicy(.exponential(from: .milliseconds(500), upTo: .seconds(60)))
            stage.show("retry", stage.onTime { page.retry(policy) })
        },
        Scene(caption: "onErrorRepeat, at most 2 repetitions, 1 s apart") { stage in
            let page = stage.operation(on: stage.track("page"), runs: (0.5, nil))
            let again = stage.onTime { page.onErrorRepeat(delayBetweenRepetitions: .seconds(1), maxRepetitions: 2) }
            stage.show("onErrorRepeat", again)
        },
        Scene(caption: "timeout(after: .seconds(2)).retry(…): a limit for each run") { stage in
            let page = stage.operation(on: stage.track("page"), runs: (9, "page"), (1, "page"))
            let policy = RetryPolicy(.constant(.seconds(1)))
            stage.show("retry", stage.onTime { page.timeout(after: .seconds(2)).retry(policy) })
        },
        Scene(caption: "hedged(after: .seconds(1)): the faster of two runs") { stage in
            let runs = (stage.track("first run"), stage.track("second run"))
            let page = stage.operation(on: runs.0, runs.1, runs: (5, "page"), (1.5, "page"))
            stage.show("hedged", stage.onTime { page.hedged(after: .seconds(1)) })
        },
    ]

    static let queues = [
        Scene(caption: "FutureQueue(): serial") { stage in
            let queue = FutureQueue()
            stage.enqueue("a", "b", "c", "d") { _, operation in queue.on(stage.time.scheduler).enqueue(operation) }
        },
        Scene(caption: "FutureQueue(maxConcurrentCount: 2)") { stage in
            let queue = FutureQueue(maxConcurrentCount: 2)
            stage.enqueue("a", "b", "c", "d") { _, operation in queue.on(stage.time.scheduler).enqueue(operation) }
        },
        Scene(caption: "KeyedFutureQueue: serial for each key") { stage in
            let queue = KeyedFutureQueue<Character>()
            stage.enqueue("a 1", "a 2", "a 3", "b 1") { name, operation in
                queue[name.first!].on(stage.time.scheduler).enqueue(operation)
            }
        },
        Scene(caption: "maxWaitingCount: 1, overflow: .dropOldest") { stage in
            let queue = FutureQueue(maxWaitingCount: 1, overflow: .dropOldest)
            stage.enqueue("a", "b", "c", "d", apart: 0.4) { _, operation in
                queue.on(stage.time.scheduler).enqueue(operation)
            }
        },
        Scene(caption: "maxConcurrentCount: 4, rate: RateLimit(1, per: .seconds(1))") { stage in
            let rate = RateLimit(1, per: .seconds(1), on: stage.time.scheduler)
            let queue = FutureQueue(maxConcurrentCount: 4, rate: rate)
            stage.enqueue("a", "b", "c", "d") { _, operation in queue.on(stage.time.scheduler).enqueue(operation) }
        },
        Scene(caption: "enqueue(with: .runTimeout(.seconds(1))) { … }") { stage in
            let queue = FutureQueue()
            stage.enqueue("a", "b", "c") { _, operation in
                queue.on(stage.time.scheduler).enqueue(with: .runTimeout(.seconds(1)), operation)
            }
        },
    ]
}

extension Stage {
    /// Three operations that take one, two and four seconds; one without a value fails.
    func inputs(a: String? = "1", b: String? = "2") -> (Future<String>, Future<String>, Future<String>) {
        (
            operation(on: track("a"), runs: (1, a)), operation(on: track("b"), runs: (2, b)),
            operation(on: track("c"), runs: (4, "3"))
        )
    }

    /// Makes a future whose delays are those of virtual time.
    func onTime<T: Sendable>(_ make: @escaping @Sendable () -> Future<T>) -> Future<T> {
        Future().flatMap(on: time.scheduler, make)
    }

    /// Enqueues operations of 1.5 seconds, and shows how they wait and run.
    func enqueue(
        _ names: String..., apart: Double = 0,
        by enqueue: @escaping @Sendable (String, @escaping @Sendable () -> Future<String>) -> Future<String>
    ) {
        for (index, name) in names.enumerated() {
            let track = track(name)
            Future().delay(by: .milliseconds(Int(apart * 1000) * index), on: time.scheduler).onValue(on: .immediate) {
                [self] in
                begin(.waiting, on: track)
                enqueue(name) { self.operation(on: track, runs: (1.5, "")) }
                    .onError(on: .immediate) { _ in self.fail(track) }
            }
        }
    }
}
