// The cache: what it remembers, and how it is written.

import Foundation
import Futures
import Testing

@testable import linkcheck

@MainActor
struct ResultCacheTests {
    private let address = URL(string: "http://a.example/x")!

    @Test func `a good result is remembered until it is too old`() async throws {
        let folder = try TemporaryFolder(["x": ""])
        let file = folder.path + "/cache.json"
        var time = Date(timeIntervalSince1970: 1000)
        let cache = { ResultCache(file: file, age: .seconds(60), now: { time }) }
        let first = cache()
        #expect(!first.isGood(address))
        first.add(address)
        try await first.save().value
        time += 59
        #expect(cache().isGood(address))
        time += 2
        #expect(!cache().isGood(address))
    }

    @Test func `a check does not request what is remembered`() async throws {
        let other = try SiteServer { _ in ["/x": .html("")] }
        defer { other.stop() }
        let folder = try TemporaryFolder(["a.md": "[x](\(other.address)x) [y](\(other.address)y)"])
        for _ in 0..<2 {
            let cache = ResultCache(file: folder.path + "/cache", age: .seconds(3000))
            let checker = Checker(options: .quick, cache: cache)
            try await checker.check([.folder(folder.address)]).value
            #expect(checker.report.brokenCount == 1)
            try await cache.save().value
        }
        #expect(other.exchanges.map(\.path).sorted() == ["/x", "/y", "/y", "/y", "/y"])
    }
}
