// Linearity: no markup makes a parser take more than linear time.

import Foundation
import Testing

@testable import linkcheck

struct LinearityTests {
    /// Returns the least processor time of three calls, in seconds. Other threads do not count.
    private func time(_ body: () -> Void) -> Double {
        (0..<3).map { _ in
            let start = clock(CLOCK_THREAD_CPUTIME_ID)
            body()
            return clock(CLOCK_THREAD_CPUTIME_ID) - start
        }.min()!
    }

    private func clock(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func read(_ text: String) {
        let bytes = Bytes(text.utf8)
        _ = Document(html: bytes)
        _ = Document(markdown: bytes)
        _ = Document(css: bytes)
        _ = Document(html: bytes, syntax: .xml)
    }

    @Test(arguments: [
        "<a", "<a x=\"", "<a b='x' ", "<a b='x' <a b=\"", "[", "](", "[](", "[](a \"", "[](a (b\n", "[](a 'b",
        "`", "`a``b```c", "<!--", "[x]: ", "[x]: y (z\n", "http://", "http://a)", "http://a](", "_a", "a_ ", "_a_ __",
        "> ", "- ", "1. ", "x<!--", "[a](b)", "![a](b)", "`a`[", "<a href=b>", "<!x ", "<? ", "![", "&", "&amp", "\\",
        "<script>", "</", "</a b='", "<svg>", "</svg>", "<svg><desc>", "<svg><style>", "<style><![CDATA[", "<math>x<p>",
        "<![CDATA[", "<iframe>", "&copy", "&#1", "&#11111111", "[a][a", "[a]: b\n", "![a]", "[a][]", "%2e/", "<style>",
        "url(", "@import '", "/*", "\"", "srcset='a,", "# ", "#", "{#", "a\n===\n",
        "    a\n", "\t", " ", "*", "<x@y", "<h:", "[](<a", "[](((", "~~~\n", "> a\n> \n",
    ])
    func `any repetition is read in linear time`(piece: String) {
        let text = { (count: Int) in
            let body = String(repeating: piece, count: count / piece.utf8.count)
            // In a heading, and with every closing mark at the end.
            return "\(body)\n\n# \(body)\n\n[\(body)'\">-->](a)) ` _\n<p style='\(body)' srcset='\(body)'>"
        }
        let (short, long) = (text(1_500), text(6_000))
        let ratio = time { read(long) } / time { read(short) }
        #expect(ratio < 10, "Four times the text takes \(ratio) times as long.")
    }
}
