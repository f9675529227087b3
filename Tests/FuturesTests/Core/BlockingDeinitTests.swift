// Work that must precede the deinit of an object that a job releases.

import Foundation
import Futures
import Testing

@Suite struct BlockingDeinitTests {
    @Test(arguments: cases.indices, [false, true])
    func `what other threads may need does not wait for a deinit`(_ index: Int, inCallback: Bool) async {
        let scene = Scene()
        Thread.detachNewThread {
            Self.cases[index](scene)
            // Completed only now: attaching to a completed future may make this thread release it.
            call(inCallback: inCallback) { scene.gate.succeed() }
        }
        #expect(await comesTrue { scene.isGone.value }, "it was released")
        #expect(scene.isInTime.value, "what it waits for came")
    }

    /// Each releases an object at the end of a job. The object's deinit waits for the effects of that job.
    private static let cases: [@Sendable (Scene) -> Void] = [
        { scene in
            scene.value().map(on: scene.a) { _ in 1 }.onValue(on: scene.b) { _ in scene.isDone.send() }
        },
        // An operation that completes before it returns its disposable.
        { scene in
            let begins = Signal()
            scene.gate.future.onValue(on: .immediate) { begins.send() }
            scene.a.async { _ = begins.comes() }
            Future<Int>(on: scene.a) { completion in
                completion(.success(1))
                return Late(scene)
            }.onValue(on: scene.b) { _ in scene.isDone.send() }
        },
        { scene in
            join(scene.value(), scene.gate.future.map(on: scene.a) { 1 }).asVoid()
                .onValue(on: scene.b) { scene.isDone.send() }
        },
        // What the future of an operation has captured, and the next operation.
        { scene in
            let queue = FutureQueue()
            queue.isPaused = true
            queue.on(scene.a).enqueue {
                let late = Late(scene)
                return Future(1).map(on: scene.a) { number in withExtendedLifetime(late) { number } }
            }
            _ = queue.on(scene.b).run { scene.isDone.send() }
            queue.isPaused = false
        },
    ]
}

/// Two schedulers, and an object whose deinit waits for a signal.
private final class Scene: Sendable {
    let (a, b) = (Scheduler(label: "a"), Scheduler(label: "b"))
    /// Starts each case.
    let gate = Promise<Void>()
    let (isGone, isInTime, isDone) = (Shared(false), Shared(true), Signal())

    func value() -> Future<Late> { gate.future.map(on: a) { [self] in Late(self) } }
}

private final class Late: Disposable {
    private let scene: Scene

    init(_ scene: Scene) { self.scene = scene }

    deinit {
        if !scene.isDone.comes() { scene.isInTime.value = false }
        scene.isGone.value = true
    }

    func dispose() {}
}
