// NotificationCenter: the next notification as a future.

import Foundation
import Futures

extension NotificationCenter {
    /// Returns a future that succeeds when the next notification of a name is posted.
    ///
    /// The center is observed from now on, until the future completes or is cancelled. A repetition waits for the next
    /// notification; it misses those that are posted in between.
    ///
    /// - Parameters:
    ///   - name: The name of the notification.
    ///   - object: The object that posts it; nil for any.
    public func future(
        of name: Notification.Name, object: (any AnyObject & Sendable)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future<Void> {
        future(of: name, object: object, file: file, line: line) { _ in }
    }

    /// Returns a future of what `transform` makes of the next notification of a name.
    ///
    ///     center.future(of: .loaded) { notification in notification.userInfo?["count"] as? Int }
    ///
    /// The center is observed from now on, until the future completes or is cancelled. A repetition waits for the next
    /// notification; it misses those that are posted in between.
    ///
    /// - Parameters:
    ///   - name: The name of the notification.
    ///   - object: The object that posts it; nil for any.
    ///   - transform: Called on the thread that posts the notification, which waits for it. An error that it throws fails
    ///     the future.
    public func future<T>(
        of name: Notification.Name, object: (any AnyObject & Sendable)? = nil, file: StaticString = #fileID,
        line: UInt = #line, _ transform: @escaping @Sendable (Notification) throws -> T
    ) -> Future<T> {
        Future(on: .immediate, file: file, line: line) { [self] completion in
            // Before the closure runs: it may take its time, or post such a notification itself.
            let isPosted = Locked(false)
            nonisolated(unsafe) let token = addObserver(forName: name, object: object, queue: nil) { notification in
                let isFirst = isPosted.withLock { isPosted in
                    defer { isPosted = true }
                    return !isPosted
                }
                guard isFirst else { return }
                completion(Result { try transform(notification) })
            }
            return Disposer { [self] in removeObserver(token) }
        }
        .named(name.rawValue)
    }
}
