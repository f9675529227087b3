// ProgressCancellation: one signal for all futures that a Foundation progress cancels.

import Foundation
import Futures

/// What the cancellation handler of a `Progress` retains.
///
/// One handler for each future would have to call the one before it. So each future would stay a part of a list of
/// closures, whose release takes stack for each of them.
final class ProgressCancellation: Sendable {
    /// The signal for all futures of the progress. Those that are pending retain it.
    final class Signal: Sendable {
        /// Succeeds when the progress is cancelled.
        let promise: Promise<Void>

        init(_ file: StaticString, _ line: UInt) { promise = Promise(file: file, line: line) }

        // No future waits for it any more. Without a result, it would be reported as abandoned.
        deinit { promise.future.cancel() }
    }

    let signal: Signal
    private let progress: WeakReference<Progress>

    /// The one of each progress. Where Foundation is written in Swift, a progress has no place for it.
    private static let all = Locked<[ObjectIdentifier: WeakReference<ProgressCancellation>]>([:])

    private init(_ progress: Progress, _ signal: Signal) {
        self.progress = WeakReference(progress)
        self.signal = signal
    }

    deinit {
        let key = progress.key
        Self.all.withLock { all in
            // Not one that was made meanwhile.
            if all[key]?.object == nil { all[key] = nil }
        }
    }

    /// Returns the one of a progress. Adds it to the handler if there is none, or if another handler has replaced it.
    static func of(_ progress: Progress, _ file: StaticString, _ line: UInt) -> ProgressCancellation {
        let key = ObjectIdentifier(progress)
        // Released without the lock, which the deinit takes.
        if let old = all.withLock({ $0[key]?.object }), old.progress.object === progress { return old }
        let new = ProgressCancellation(progress, Signal(file, line))
        let old = all.withLock { all in
            let old = all[key]?.object
            // At this address, there may have been another progress, whose handler has outlived it.
            if old == nil || old?.progress.object !== progress { all[key] = WeakReference(new) }
            return old
        }
        // Another thread has been faster.
        if let old, old.progress.object === progress { return old }
        // Without the lock: the progress may be one of the user's own.
        let previous = progress.cancellationHandler
        progress.cancellationHandler = {
            previous?()
            new.signal.promise.succeed()
        }
        // Another thread may have used it before the progress had it.
        if progress.isCancelled { new.signal.promise.succeed() }
        return new
    }
}

/// A reference that does not retain.
// Safe to share: what changes it is the end of the object, which is atomic.
private final class WeakReference<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?
    let key: ObjectIdentifier

    init(_ object: Object) {
        self.object = object
        key = ObjectIdentifier(object)
    }
}
