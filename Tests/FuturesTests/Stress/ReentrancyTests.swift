// Re-entrancy: all actions on futures inside callbacks, disposals and deinits.

import Futures
import Testing

@Suite struct ReentrancyTests {
    /// The place in which the action is called.
    enum Place: CaseIterable {
        case listener, cancelHandler, alwaysHandler, transform, returningTransform, operation, dispose
        case deinitOfValue, deinitOfError, deinitOfCapture, queue, bag, predicate, disposer
    }

    /// The actions, on the future whose listeners are being called, and on others.
    enum Action: CaseIterable {
        case complete, abandon, cancelSource, cancelSelf, cancelOther, attach, attachMany, dispose, forget, repeated,
            link
        case enqueue, waitForCompleted
    }

    @Test(arguments: Place.allCases, Action.allCases)
    func `no action in any place deadlocks or calls twice, also on another thread meanwhile`(
        _ place: Place, _ action: Action
    ) {
        for isElsewhere in [false, true] {
            let scene = Scene()
            scene.act = { [unowned scene] in
                // With a lock held, it would deadlock.
                if isElsewhere { #expect(onAnotherThread { scene.perform(action) }) } else { scene.perform(action) }
            }
            scene.run(place)
            #expect(scene.actionCount == 1)
            #expect(scene.callsOfEach.allSatisfy { $0 <= 1 })
            // A listener of a completed future that was not cancelled was called.
            #expect(scene.callsOfSteady == 1)
            weak let leaked = scene.probe
            scene.forget()
            #expect(leaked == nil)
        }
    }
}

extension ReentrancyTests {
    /// A counted value whose deinit calls a closure.
    final class Token: Sendable {
        let number: Int
        private let end: @Sendable () -> Void

        init(_ number: Int, end: @escaping @Sendable () -> Void = {}) {
            self.number = number
            self.end = end
        }

        deinit { end() }
    }
}
