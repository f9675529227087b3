// JSON reports.

import Foundation
import Testing

@testable import benchmarks

struct JSONTests {
    private static func read(_ json: JSON) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(json.text.utf8), options: .fragmentsAllowed)
    }

    @Test func `any text survives a round trip`() throws {
        let text = "\"quoted\" \\ back\n\ttab \u{1} ∞ é 👩‍👩‍👧"
        #expect(try Self.read(.string(text)) as? String == text)
    }

    @Test func `numbers have four decimals, and whole numbers none`() throws {
        #expect(try Self.read(.number(0.12345)) as? Double == 0.1235)
        #expect(JSON.number(3).text == "3")
        #expect(JSON.number(-2.5).text == "-2.5000")
        #expect(try Self.read(.number(.nan)) is NSNull)
    }

    @Test func `empty things are written without lines`() {
        #expect(JSON.array([]).text == "[]")
        #expect(JSON.object([]).text == "{}")
        #expect(JSON.object([("a", .array([]))]).text == "{\n  \"a\": []\n}")
    }

    @Test func `fields keep their order`() {
        let json = JSON.object([("b", .bool(true)), ("a", .null), ("c", .array([.number(1), .string("x")]))])
        #expect(json.text == "{\n  \"b\": true,\n  \"a\": null,\n  \"c\": [\n    1,\n    \"x\"\n  ]\n}")
    }
}

struct JSONReportTests {
    @Test func `a row has its results, its target and the verdicts`() throws {
        let finding = Finding.made(
            [(.futures, [20, 20]), (.callback, [10, 10]), (.dispatch, [15, 15])], named: "a row", series: "rows",
            operations: 1000, mallocs: 3, held: 7, left: 0)
        let target = Target(row: "a row", mallocs: 2, ratio: .init(limit: 2.5, side: .callback), remark: "why")
        let chapter = MeasuredChapter(title: "Chapter", outcomes: [.made(finding, target)])
        let text = JSONReport.document([chapter], effort: "quick").text
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(document["format"] as? Int == 1)
        #expect(document["effort"] as? String == "quick")
        let row = try #require((document["rows"] as? [[String: Any]])?.first)
        #expect(row["name"] as? String == "a row")
        #expect(row["chapter"] as? String == "Chapter")
        #expect(row["series"] as? String == "rows")
        let results = try #require(row["results"] as? [[String: Any]])
        #expect(results.map { $0["side"] as? String } == ["Futures", "CB", "RD"])
        #expect((results[0]["nanoseconds"] as? [String: Double])?["median"] == 20)
        #expect((results[1]["ratio"] as? [String: Double])?["median"] == 2)
        #expect(results[0]["held"] as? Int == 7)
        #expect((row["target"] as? [String: Any])?["remark"] as? String == "why")
        let verdicts = try #require(row["verdicts"] as? [[String: String]])
        #expect(verdicts.map { $0["state"] } == ["met", "missed"])
        #expect(verdicts.map { $0["aspect"] } == ["ratio", "mallocs"])
    }
}
