// Lines that show progress. Contract/Foundation.md

import Foundation
import Futures
import FuturesTesting
import Testing

@testable import FuturesFoundation

@Suite struct ProgressLineTests {
    private func text(
        _ completed: Int64, of total: Int64? = nil, _ unit: ProgressLine.Unit = .items, rate: Double? = nil
    ) -> ProgressText {
        ProgressText(title: "pages", unit: unit, numbers: .init(completed: completed, total: total), rate: rate)
    }

    @Test func `a line has the count, the part, the rate and the time left`() {
        #expect(
            text(45, of: 100, rate: 12.34).drawn(width: 80, color: false)
                == "pages  \(bar(17, 21))  45/100  45%  12.3/s  0:04 left")
        #expect(text(45, of: 100).drawn(width: 80, color: false) == "pages  \(bar(18, 22))  45/100  45%")
        #expect(text(45, rate: 1234.5).drawn(width: 80, color: false) == "pages  45  1235/s")
        #expect(text(45, of: 100, rate: 0).plain() == "pages: 45/100, 45%, 0.0/s")
        #expect(text(0, of: 0).plain(after: .seconds(3725)) == "pages: 0/0, 100%, in 1:02:05")
    }

    private func bar(_ done: Int, _ open: Int) -> String {
        "[" + String(repeating: "#", count: done) + String(repeating: "-", count: open) + "]"
    }

    @Test func `bytes are shown with their units`() {
        #expect(text(999, .bytes).plain() == "pages: 999 B")
        #expect(
            text(1_234_567, of: 2_000_000_000, .bytes, rate: 45_678).plain()
                .hasPrefix("pages: 1.2 MB/2.0 GB, 0%, 45.7 kB/s, "))
        #expect(text(999_999, .bytes).plain() == "pages: 1.0 MB")
        #expect(text(.max, .bytes).plain() == "pages: 9223 PB")
    }

    @Test func `a line is never wider than the terminal`() {
        for title in ["pages", "", String(repeating: "long ", count: 30), "ページ👩‍👩‍👧"] {
            for width in [Int.min, -1] + Array(0..<120) {
                var text = text(123_456, of: 1_234_567, rate: 45.6)
                text.title = title
                let columns = text.drawn(width: width, color: false).reduce(0) { sum, character in
                    sum + (character.unicodeScalars.first!.value >= 0x1100 ? 2 : 1)
                }
                #expect(columns <= max(width, 1) - 1)
            }
        }
    }

    @Test func `a title cannot control the terminal`() {
        var text = text(1)
        text.title = "a\u{1B}[2J\n\rb"
        #expect(text.plain() == "a[2Jb: 1")
    }

    @Test func `NO_COLOR, TERM and COLUMNS decide what a terminal shows`() throws {
        let pipe = Pipe()
        #expect(!Terminal(pipe.fileHandleForWriting, [:]).isInteractive)
        #expect(Terminal(pipe.fileHandleForWriting, ["COLUMNS": "33"]).width() == 33)
        #expect(Terminal(pipe.fileHandleForWriting, ["COLUMNS": "x"]).width() == 80)
        let screen = try #require(PseudoTerminal())
        let file = screen.file
        #expect(Terminal(file, [:]).isInteractive && Terminal(file, [:]).showsColors)
        #expect(!Terminal(file, ["NO_COLOR": "1"]).showsColors)
        #expect(Terminal(file, ["NO_COLOR": ""]).showsColors)
        #expect(!Terminal(file, ["TERM": "dumb"]).isInteractive)
    }

    /// Shows a line while a counter goes from 0 to 100 in ten seconds, and returns what was written.
    private func shown(interactive: Bool) throws -> String {
        let (time, written) = (VirtualTime(), Locked(""))
        let terminal = Terminal(isInteractive: interactive, width: { 60 }) { text in written.withLock { $0 += text } }
        let counter = ProgressCounter(total: 100)
        let line = ProgressLine("pages", counter, in: terminal, on: time.scheduler)
        let promise = Promise<Void>()
        let future = promise.future.showing(line)
        for _ in 0..<25 {
            time.advance(by: .seconds(1))
            counter.add(4)
        }
        line.print("a message")
        promise.succeed()
        try time.expectCompletes(future)
        try time.checkNothingPending()
        return written.withLock { $0 }
    }

    @Test func `a terminal has one line, which is drawn again`() throws {
        let written = try shown(interactive: true)
        let lines = written.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasSuffix("\u{1B}[Ka message"))
        let drawn = written.split(separator: "\r")
        #expect(drawn.count > 200 && drawn.last?.contains("  100/100  100%  ") == true, "\(drawn.last ?? "")")
    }

    @Test func `elsewhere, a line is written every ten seconds and at the end`() throws {
        let lines = try shown(interactive: false).split(separator: "\n")
        #expect(
            lines == [
                "pages: 36/100, 36%, 3.6/s, 0:18 left", "pages: 76/100, 76%, 3.9/s, 0:06 left", "a message",
                "pages: 100/100, 100%, in 0:25",
            ])
    }

    @Test func `the last line is written when the future completes, fails or is cancelled`() async throws {
        for end in 0..<3 {
            let written = Locked("")
            let terminal = Terminal(isInteractive: true) { text in written.withLock { $0 += text } }
            let promise = Promise<Void>()
            let future = promise.future.showing(ProgressLine("pages", ProgressCounter(), in: terminal))
            switch end {
            case 0: promise.succeed()
            case 1: promise.fail(Oops())
            default: future.cancel()
            }
            #expect(future.isCompleted)
            #expect(written.withLock { $0.hasSuffix("\u{1B}[K\n") })
        }
    }
}
