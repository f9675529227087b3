// Library: documents that take too long.

import Dispatch
import Foundation
import Futures
import Testing

@testable import linkcheck

@MainActor
struct LibraryTests {
    @Test func `a document that takes too long is given up, and the next one is read`() async throws {
        let folder = try TemporaryFolder(["b.md": "# B"])
        let end = DispatchSemaphore(value: 0)
        let slow = Library(timeLimit: .milliseconds(1)) { paths in
            end.wait()
            return try Files().read(paths)
        }
        // Not by this task, which may wait for its turn for long, while others need the thread that is blocked.
        let late = slow.read([folder.path + "/b.md"]).onError(on: .immediate) { _ in end.signal() }
        await #expect(throws: Library.TooSlow.self) { try await late.value }
        #expect(
            try await Library(timeLimit: .seconds(3000)).read([folder.path + "/b.md"]).value.document?.anchors == ["b"])
    }
}
