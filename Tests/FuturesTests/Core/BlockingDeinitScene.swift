// Where the cases of BlockingDeinitTests run. Contract/Order.md

import Dispatch
import Foundation
import Futures
import Testing

/// Where a case runs: some schedulers, and an object that waits in its deinit until `done` is called.
final class Scene: Sendable {
    let (a, b, c) = (Scheduler(label: "a"), Scheduler(label: "b"), Scheduler(label: "c"))
    /// What each case begins with.
    let gate = Promise<Void>()
    let isGone = Shared(false)
    let isInTime = Shared(true)
    /// What lives until the end of the case.
    let kept = Shared<[any Sendable]>([])
    private let isDone = Signal()

    /// An object that is released by the case.
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
    /// What the object waits for.
    func done() { isDone.send() }

    func keep(_ object: some Sendable) { kept.change { $0.append(object) } }

    /// Blocks scheduler `a` until the case starts.
    func blockA() {
        let begins = Signal()
        gate.future.onValue(on: .immediate) { begins.send() }
        a.async { _ = begins.comes() }
    }

    /// One that starts its operations when it is resumed.
    func queue() -> FutureQueue<Void> {
        let queue = FutureQueue()
        queue.pause()
        return queue
    }

    /// A future of a number.
    func one(on scheduler: Scheduler) -> Future<Int> { gate.future.map(on: scheduler) { 1 } }

    /// A future of the object.
    func value(on scheduler: Scheduler) -> Future<Late> { gate.future.map(on: scheduler) { [self] in late() } }

    /// A future of an error that has the object.
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
