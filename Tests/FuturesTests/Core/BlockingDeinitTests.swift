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
private let deinitCases = [
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
    DeinitCase("the value before a completed future") { scene in
        scene.value(on: scene.a).flatMap(on: scene.a) { _ in Future(1) }.onValue(on: scene.b) { _ in scene.done() }
    },
    DeinitCase("the values of a join") { scene in
        join(scene.value(on: scene.a), scene.one(on: scene.a)).asVoid().onValue(on: scene.b) { scene.done() }
    },
    DeinitCase("what the future of an operation has captured, and the next operation") { scene in
        let queue = scene.queue()
        queue.on(scene.a).enqueue { Future(1).map(on: scene.a, capturing(scene.late())) }
        _ = queue.on(scene.b).run { scene.done() }
        queue.isPaused = false
    },
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
    },
]

private func capturing(_ late: Scene.Late) -> @Sendable (Int) -> Int {
    { number in withExtendedLifetime(late) { number } }
}
