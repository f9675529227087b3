// Work that must precede the deinit of an object that a job releases.

import Dispatch
import Foundation
import Futures
import Testing

@Suite struct BlockingDeinitTests {
    /// With no nesting, and at the nesting limit, from which on the next callback is deferred.
    @Test(arguments: deinitCases, [0, 17])
    func `what other threads may need does not wait for a deinit`(_ deinitCase: DeinitCase, nesting depth: Int) async {
        let scene = Scene()
        Thread.detachNewThread {
            deinitCase.run(scene)
            // Completed only now: attaching to a completed future may make this thread release it.
            nest(depth) { scene.gate.succeed() }
        }
        // Does not block: a case may have a task, which needs a thread of the pool.
        #expect(await comesTrue { scene.isGone.value }, "it was released")
        #expect(scene.isInTime.value, "what it waits for came")
        withExtendedLifetime(scene.kept.value) {}
    }
}

/// Each releases an object at the end of a job. The object's deinit waits for the effects of that job.
private let deinitCases = steps + innerFutures + combinations + turns + cancels + sequences

private let steps = [
    DeinitCase("a value that was transformed") { scene in
        scene.value(on: scene.a).map(on: scene.a) { _ in 1 }.onValue(on: scene.b) { _ in scene.done() }
    },
    DeinitCase("a value, and a thread that waits") { scene in
        let end = scene.value(on: scene.a).map(on: scene.a) { _ in 1 }
        Thread.detachNewThread {
            _ = try? end.wait()
            scene.done()
        }
        end.waitForListener()
    },
    DeinitCase("a value, and a task that waits") { scene in
        let end = scene.value(on: scene.a).map(on: scene.a) { _ in 1 }
        Task {
            _ = try await end.value
            scene.done()
        }
        end.waitForListener()
    },
    DeinitCase("the disposable of an operation that completes before it returns that") { scene in
        scene.blockA()
        Future<Int>(on: scene.a) { completion in
            completion(.success(1))
            return scene.late()
        }.onValue(on: scene.b) { _ in scene.done() }
    },
    DeinitCase("an error that was recovered from") { scene in
        scene.failure(on: scene.a).recover(on: scene.a) { _ in 1 }.onValue(on: scene.b) { _ in scene.done() }
    },
    DeinitCase("a result that a callback has replaced") { scene in
        scene.value(on: scene.a).onResult(on: scene.a) { _ in throw Oops() }.onError(on: scene.b) { _ in scene.done() }
    },
]

private let innerFutures = [
    DeinitCase("the value before a completed future") { scene in
        scene.value(on: scene.a).flatMap(on: scene.a) { _ in Future(1) }.onValue(on: scene.b) { _ in scene.done() }
    },
    DeinitCase("what an inner future elsewhere has captured") { scene in
        scene.one(on: scene.a).flatMap(on: scene.a) { _ in
            Future(1).map(on: scene.b, capturing(scene.late())).map(on: scene.b) { $0 }
        }.onValue(on: scene.c) { _ in scene.done() }
    },
    DeinitCase("the value of an inner future") { scene in
        scene.one(on: scene.a).flatMapResult(on: scene.a) { _ in Future(on: scene.b, immediate: { scene.late() }) }
            .map(on: scene.a) { _ in 1 }.onValue(on: scene.c) { _ in scene.done() }
    },
]

private let combinations = [
    DeinitCase("the values of a join") { scene in
        join(scene.value(on: scene.a), scene.one(on: scene.a)).asVoid().onValue(on: scene.b) { scene.done() }
    },
    DeinitCase("the error before a success") { scene in
        let failure = scene.failure(on: scene.a)
        Future.firstSuccess(of: [failure, scene.one(on: scene.a)]).onValue(on: scene.b) { _ in scene.done() }
    },
    DeinitCase("the value behind a time limit") { scene in
        scene.value(on: scene.a).timeout(after: .seconds(1000), on: scene.a).asVoid()
            .onValue(on: scene.b) { scene.done() }
    },
]

private let turns = [
    DeinitCase("what the future of an operation has captured, and the next operation") { scene in
        let queue = scene.queue()
        queue.on(scene.a).enqueue { Future(1).map(on: scene.a, capturing(scene.late())) }
        queue.on(scene.b).run { scene.done() }
        queue.isPaused = false
    },
    DeinitCase("the value of an operation, and the next operation") { scene in
        let queue = scene.queue()
        queue.on(scene.a).run { scene.late() }.map(on: scene.a) { _ in 1 }.onValue(on: scene.a) { _ in }
        queue.on(scene.b).run { scene.done() }
        queue.isPaused = false
    },
    DeinitCase("the value that a cache has dropped, and the new one") { scene in
        let cache = FutureCache<Int, Scene.Late>(maxCount: 1)
        scene.keep(cache)
        _ = cache.future(on: .immediate, for: 1) { Future(scene.late()) }
        cache.future(on: scene.a, for: 2) { scene.gate.future.map(on: scene.a) { Scene.Late(Scene.idle) } }
            .onValue(on: scene.b) { _ in scene.done() }
    },
]

private let cancels = [
    DeinitCase("what a cancelled inner future has captured, and a handler") { scene in
        let (promise, hasJoined) = (Promise<Int>(), Signal())
        scene.keep(promise)
        let future = scene.one(on: scene.a).flatMap(on: scene.a) { _ in
            scene.a.async { hasJoined.send() }
            return promise.future.map(on: scene.a, capturing(scene.late()))
        }.onCancel(on: scene.b) { scene.done() }
        scene.gate.succeed()
        _ = hasJoined.comes()
        future.cancel()
    }
]

private let sequences = [
    DeinitCase("the elements of a sequence") { scene in
        scene.blockA()
        [scene.late()].mapToFuture(on: scene.a) { _ in Future(1) }
            .onValue(on: scene.b) { _ in scene.done() }
    },
    DeinitCase("an iterator that is not asked any more") { scene in
        scene.blockA()
        Elements(scene: scene).mapToFuture(on: scene.a) { Future<Int>(error: Oops($0)) }
            .onError(on: scene.b) { _ in scene.done() }
    },
]

extension Scene {
    /// A scene in which nothing waits.
    fileprivate static let idle: Scene = {
        let scene = Scene()
        for _ in 0..<10_000 { scene.done() }
        return scene
    }()
}

private func capturing(_ late: Scene.Late) -> @Sendable (Int) -> Int {
    { number in withExtendedLifetime(late) { number } }
}

/// A sequence whose iterator retains the object.
private struct Elements: Sequence, Sendable {
    let scene: Scene

    struct Iterator: IteratorProtocol, Sendable {
        let late: Scene.Late
        var count = 0

        mutating func next() -> Int? {
            count += 1
            return count < 3 ? count : nil
        }
    }

    func makeIterator() -> Iterator { Iterator(late: scene.late()) }
}
