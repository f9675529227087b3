// UncheckedSendable: non-Sendable values in futures.

import Futures
import Testing

private final class Page {
    var title: String
    init(title: String) { self.title = title }
}

@Suite struct UncheckedSendableTests {
    @Test func `a non-Sendable value passes through futures in an UncheckedSendable box`() throws {
        let future = Future(on: .background, immediate: { UncheckedSendable(Page(title: "a")) })
            .map(on: .background) { box in
                box.value.title += "b"
                return box
            }
        #expect(try future.wait(timeout: testTimeout).value.title == "ab")
    }
}
