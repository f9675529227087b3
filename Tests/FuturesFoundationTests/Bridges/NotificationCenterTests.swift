// Notifications as futures. Contract/Foundation.md

import Foundation
import Futures
import FuturesFoundation
import Testing

extension Notification.Name {
    fileprivate static let loaded = Notification.Name("loaded")
    fileprivate static let other = Notification.Name("other")
}

private final class Sender: Sendable {}

@Suite struct NotificationCenterTests {
    let center = NotificationCenter()

    @Test func `the next notification completes a future of its name and its object`() async throws {
        let (sender, stranger) = (Sender(), Sender())
        let number = center.future(of: .loaded, object: sender) { $0.userInfo?["number"] as? Int }
        let any = center.future(of: .loaded)
        center.post(name: .other, object: sender)
        #expect(!number.isCompleted && !any.isCompleted)
        center.post(name: .loaded, object: stranger, userInfo: ["number": 1])
        #expect(!number.isCompleted && any.isCompleted)
        center.post(name: .loaded, object: sender, userInfo: ["number": 2])
        center.post(name: .loaded, object: sender, userInfo: ["number": 3])
        #expect(try await number.value == 2)
    }

    @Test func `a future of a notification that is cancelled or completed observes no more`() throws {
        let count = Locked(0)
        var token: Sender? = Sender()
        let make = { [center, token] in
            center.future(of: .loaded) { _ in withExtendedLifetime(token) { count.withLock { $0 += 1 } } }
        }
        make().cancel()
        _ = make()
        center.post(name: .loaded, object: nil)
        center.post(name: .loaded, object: nil)
        #expect(count.withLock { $0 } == 1)
        token = nil
        #expect(token == nil)
    }
}
