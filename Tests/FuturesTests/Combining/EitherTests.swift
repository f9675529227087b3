// Either: one of two values. Contract/Combining.md

import Foundation
import Futures
import Testing

@Suite struct EitherTests {
    private typealias Mixed = Either<Int, String>
    private let left = Mixed.left(1)
    private let right = Mixed.right("a")

    @Test func `an either has the value of its side, and nil for the other side`() {
        #expect(left.left == 1 && left.right == nil)
        #expect(right.right == "a" && right.left == nil)
        // A side whose value is nil is still present.
        #expect(Either<Int?, Int>.left(nil).left == .some(nil))
    }

    @Test func `map transforms the side of an either that has the value`() {
        #expect(left.map(left: { $0 + 1 }, right: { _ in Issue.record() }).left == 2)
        #expect(right.map(left: { _ in Issue.record() }, right: { $0 + "b" }).right == "ab")
        #expect(left.mapLeft { "\($0)" } == .left("1"))
        #expect(right.mapLeft { "\($0)" } == .right("a"))
        #expect(left.mapRight(\.count) == .left(1))
        #expect(right.mapRight(\.count) == .right(1))
    }

    @Test func `an error thrown by a transform of an either is rethrown with its type`() {
        do throws(Oops) {
            _ = try left.map { _ throws(Oops) -> Int in
                throw Oops(1)
            } right: { _ throws(Oops) in
                0
            }
            Issue.record()
        } catch { #expect(error.number == 1) }
        do throws(Oops) {
            _ = try right.mapRight { _ throws(Oops) -> Int in throw Oops(2) }
            Issue.record()
        } catch { #expect(error.number == 2) }
    }

    @Test func `an either with one type for both sides has the value of either side`() {
        #expect(Either<Int, Int>.left(1).any == 1)
        #expect(Either<Int, Int>.right(2).any == 2)
        #expect(select(Future(1), or: Future<Int>.never).map(on: .immediate) { $0.any }.success == 1)
    }

    @Test func `eithers with the same side and value are equal and have equal hashes`() {
        #expect(Either<Int, Int>.left(1) != .right(1))
        #expect(Set<Either<Int, Int>>([.left(1), .left(1), .right(1), .right(2)]).count == 3)
    }
}

extension EitherTests {
    private func decode(_ json: String) throws -> Mixed {
        try JSONDecoder().decode(Mixed.self, from: Data(json.utf8))
    }

    @Test func `an either is encoded under the name of its side`() throws {
        let json = try JSONEncoder().encode([left, right])
        #expect(String(decoding: json, as: UTF8.self) == #"[{"left":1},{"right":"a"}]"#)
        #expect(try JSONDecoder().decode([Mixed].self, from: json) == [left, right])
        // Nil is encoded as a value.
        let optional = try JSONEncoder().encode(Either<Int?, Int>.left(nil))
        #expect(try JSONDecoder().decode(Either<Int?, Int>.self, from: optional) == .left(nil))
    }

    @Test(arguments: ["{}", #"{"left":1,"right":"a"}"#, #"{"left":"a"}"#, #"{"middle":1}"#, "1"])
    func `decoding an either with both sides, no side or a value of the wrong type fails`(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }
}
