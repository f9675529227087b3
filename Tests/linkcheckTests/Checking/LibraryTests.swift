// Library: documents that take too long.

import Foundation
import Futures
import Testing

@testable import linkcheck

@MainActor
struct LibraryTests {
    @Test func `a document that takes too long is given up, and the next one is read`() async throws {
        let folder = try TemporaryFolder(["a.md": String(repeating: "[a](b) *c* ", count: 200_000), "b.md": "# B"])
        await #expect(throws: Library.TooSlow.self) {
            try await Library(timeLimit: .microseconds(1)).read([folder.path + "/a.md"]).outcome()
        }
        #expect(try await Library().read([folder.path + "/b.md"]).outcome().document?.anchors == ["b"])
    }
}
