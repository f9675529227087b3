// The scene of the cases of BlockingDeinitTests.

import Dispatch
import Foundation
import Futures
import Testing

/// The scene of a case: some schedulers, and an object whose deinit waits until `done` is called.
final class Scene: Sendable {
    let (a, b, c) = (Scheduler(label: "a"), Scheduler(label: "b"), Scheduler(label: "c"))
    /// Starts each case.
    let gate = Promise<Void>()
    let isGone = Shared(false)
    let isInTime = Shared(true)
    /// Objects that are retained until the case has completed.
    let kept = Shared<[any Sendable]>([])
    private let isDone = Signal()

    /// The object that the case releases.
    final class Late: Hashable, Disposable {
        let scene: Scene
        init(_ scene: Scene) { self.scene = scene }

        deinit {
            if !scene.isDone.comes() { scene.isInTime.value = false }
            scene.isGone.value = true
        }

        func dispose() {}
        static func == (a: Late, b: Late) -> Bool { a === b }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    struct LateError: Error { let late: Late }

    func late() -> Late { Late(self) }
    /// Sends what the object waits for.
    func done() { isDone.send() }

    func keep(_ object: some Sendable) { kept.change { $0.append(object) } }

    /// Blocks scheduler `a` until the case starts.
    func blockA() {
        let begins = Signal()
        gate.future.onValue(on: .immediate) { begins.send() }
        a.async { _ = begins.comes() }
    }

    /// Returns a queue that starts its operations when it is resumed.
    func queue() -> FutureQueue<Void> {
        let queue = FutureQueue()
        queue.isPaused = true
        return queue
    }

    /// Returns a future of a number.
    func one(on scheduler: Scheduler) -> Future<Int> { gate.future.map(on: scheduler) { 1 } }

    /// Returns a future of the object.
    func value(on scheduler: Scheduler) -> Future<Late> { gate.future.map(on: scheduler) { [self] in late() } }

    /// Returns a future of an error that retains the object.
    func failure(on scheduler: Scheduler) -> Future<Int> {
        gate.future.map(on: scheduler) { [self] in throw LateError(late: late()) }
    }
}

struct DeinitCase: Sendable, CustomTestStringConvertible, CustomStringConvertible {
    let description: String
    let run: @Sendable (Scene) -> Void
    var testDescription: String { description }

    init(_ description: String, _ run: @escaping @Sendable (Scene) -> Void) {
        self.description = description
        self.run = run
    }
}
