// Lines of calls: which line of the user's code has made a future.

import Futures
import Testing

@testable import FuturesDiagnostics

@Suite struct LineTableTests {
    /// The section of one compilation unit with two files, and the rows
    ///
    ///     0x1000 app.swift:10 · 0x1008 app.swift:12 · 0x1010 moved.swift:3 · 0x1018 app.swift:0 · 0x1020 the end
    private static func section(version: UInt16) -> (lines: [UInt8], texts: [UInt8]) {
        var header: [UInt8] = [1]  // The smallest instruction.
        if version >= 4 { header += [1] }
        header += [1, UInt8(bitPattern: -5), 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
        let names = ["app.swift", "moved.swift"].map { Array($0.utf8) + [0] }
        var texts: [UInt8] = []
        if version >= 5 {
            // No folders; files have a name in the other section, and a number that is of no interest.
            texts = Array("unused".utf8) + [0] + names.joined()
            header += [0, 0, 2, 1, 0x1F, 2, 0x0B, 2]
            for start in [7, 7 + names[0].count] { header += bytes(UInt32(start)) + [9] }
        } else {
            header += Array("folder".utf8) + [0, 0]
            for name in names { header += name + [1, 0x80, 0x01, 0] }
            header += [0]
        }
        let (first, second) = version >= 5 ? (UInt8(0), UInt8(1)) : (1, 2)
        var program: [UInt8] = [0, 9, 2] + bytes(UInt64(0x1000))  // The address.
        program += [4, first, 3, 9, 5, 7, 1]  // The file; 9 lines on; a column; a row.
        program += [13 + 8 * 14 + 7]  // 8 addresses and 2 lines on, and a row.
        program += [4, second, 3, 0x77, 2, 8, 1]  // The other file; 9 lines back; 8 addresses on; a row.
        program += [4, first, 3, 0x7D, 9, 8, 0, 1]  // 3 lines back, 8 addresses on.
        program += [2, 8, 0, 1, 1]  // The end.
        let sizes: [UInt8] = version >= 5 ? [8, 0] : []
        let unit = bytes(version) + sizes + bytes(UInt32(header.count)) + header + program
        return (bytes(UInt32(unit.count)) + unit, texts)
    }

    private static func bytes<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// Calls `body` with the table of both, and a function that returns a line in words.
    private static func withTable(_ lines: [UInt8], _ texts: [UInt8], _ body: ((UInt, UInt) -> String?) -> Void) {
        (lines + texts).withUnsafeBytes { bytes in
            let table = LineTable(bytes, lines: 0..<lines.count, texts: lines.count..<bytes.count)
            body { address, start in
                table.row(at: address, in: start).map { row, isExact in
                    "\(isExact ? "" : "near ")\(ByteReader(bytes, at: row.file).text):\(row.line)"
                }
            }
        }
    }

    @Test(arguments: [2, 3, 4, 5] as [UInt16])
    func `the line of an address is that of the row before it`(version: UInt16) {
        let (lines, texts) = Self.section(version: version)
        Self.withTable(lines + lines, texts) { line in
            let places = ([0x1000, 0x1007, 0x1008, 0x1020] as [UInt]).map { line($0, 0x1000) }
            #expect(places == ["app.swift:10", "app.swift:10", "app.swift:12", nil])
            #expect(line(0xFFF, 0xF00) == nil)
            // Another function.
            #expect(line(0x1012, 0x1010) == "moved.swift:3")
        }
    }

    @Test func `code that the compiler has moved into a function has the function's line before it`() {
        let (lines, texts) = Self.section(version: 4)
        Self.withTable(lines, texts) { line in
            #expect(line(0x1012, 0x1000) == "near app.swift:12")
            #expect(line(0x1018, 0x1000) == "near app.swift:12")
        }
        #expect(SourceLine(file: "a.swift", line: 7, isExact: true).words(in: "App") == "at App/a.swift:7")
        #expect(SourceLine(file: "main.swift", line: 7, isExact: false).words(in: "") == "near main.swift:7")
    }

    @Test(arguments: [4, 5] as [UInt16])
    func `a damaged table of lines has an end, and reads nothing behind it`(version: UInt16) {
        let (lines, texts) = Self.section(version: version)
        for end in 0...lines.count { Self.withTable(Array(lines[..<end]), texts) { _ = $0(0x1008, 0x1000) } }
        var random = SplitMix(7)
        for _ in 0..<20_000 {
            var damaged = lines
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            Self.withTable(damaged, texts) { _ = $0(0x1008, 0x1000) }
        }
    }

    #if os(Linux)
        @Test func `the line of an operator is that of its call, also behind others in one expression`() async {
            await #expect(processExitsWith: .success) {
                Diagnostics.isOn = true
                let promise = Promise<Int>()
                let (future, line) = LineTableTests.chained(promise)
                let place = "at FuturesTests/LineTableTests.swift"
                let chain = future.chain
                #expect(chain.hasPrefix("flatMap \(place):\(line + 3) ← map \(place):\(line + 2) ← Promise "))
                // What a macro expands to has no line.
                #expect(
                    promise.future.map(on: .immediate) { $0 }.chain.hasPrefix("map in FuturesTests.LineTableTests."))
            }
        }

        private static func chained(_ promise: Promise<Int>) -> (Future<Int>, line: Int) {
            let line = #line
            let future = promise.future
                .map(on: .immediate) { $0 + 1 }
                .flatMap(on: .immediate) { Future($0) }
            return (future, line)
        }
    #endif
}
