// Unchecked: what is not Sendable goes through futures.

import Futures
import Testing

private final class Page {
    var title: String
    init(title: String) { self.title = title }
}

@Suite struct UncheckedTests {
    @Test func `a value that is not Sendable goes through futures in a box`() throws {
        let future = Future(on: .concurrentBackground, immediate: { Unchecked(Page(title: "a")) })
            .map(on: .background) { box in
                box.value.title += "b"
                return box
            }
        #expect(try future.wait(timeout: patience).value.title == "ab")
    }
}
