// ProgressText: what a progress line says.

import Foundation

/// What a line of progress says, at one moment.
struct ProgressText {
    var title: String
    var unit: ProgressLine.Unit
    var numbers: ProgressCounter.Snapshot
    /// What was done per second recently; nil if it is not known yet.
    var rate: Double?

    /// The numbers, such as `45/100  45%  12.3/s  0:05 left`.
    private var parts: [String] {
        var parts = [numbers.total.map { "\(text(numbers.completed))/\(text($0))" } ?? text(numbers.completed)]
        if let fraction = numbers.fraction { parts.append("\(Int(fraction * 100))%") }
        if let rate {
            parts.append(rateText(rate))
            if let total = numbers.total, rate > 0, total > numbers.completed {
                parts.append("\(Self.time((Double(total) - Double(numbers.completed)) / rate)) left")
            }
        }
        return parts
    }

    /// Returns one line of text, without a bar.
    func plain(after elapsed: Duration? = nil) -> String {
        var parts = parts
        if let elapsed { parts.append("in \(Self.time(elapsed / .seconds(1)))") }
        return Self.printable(title) + ": " + parts.joined(separator: ", ")
    }

    /// Returns a line of at most `width` columns, with a bar if there is room for it.
    func drawn(width: Int, color: Bool) -> String {
        // A line that fills the last column would be wrapped by some terminals.
        let room = max(width, 1) - 1
        let title = Self.printable(title)
        let rest = parts.joined(separator: "  ")
        let bar = min(room - Self.columns(title) - Self.columns(rest) - 6, 40)
        guard let fraction = numbers.fraction, bar >= 5 else { return Self.cut("\(title)  \(rest)", to: room) }
        let full = Int(fraction * Double(bar))
        let (done, open) = (String(repeating: "#", count: full), String(repeating: "-", count: bar - full))
        return "\(title)  [\(color ? "\u{1B}[32m\(done)\u{1B}[0m" : done)\(open)]  \(rest)"
    }

    private func text(_ count: Int64) -> String { unit == .bytes ? Self.size(Double(count)) : "\(count)" }

    private func rateText(_ rate: Double) -> String {
        unit == .bytes ? "\(Self.size(rate))/s" : "\(Self.rounded(rate))/s"
    }

    private static func size(_ bytes: Double) -> String {
        var (value, units) = (bytes, ["B", "kB", "MB", "GB", "TB", "PB"][...])
        while abs(value) >= 999.5, units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        return "\(units.first == "B" ? "\(Int(value))" : rounded(value)) \(units.first ?? "B")"
    }

    private static func rounded(_ value: Double) -> String {
        value < 99.95 ? "\((value * 10).rounded() / 10)" : "\(Int(min(value.rounded(), 1e15)))"
    }

    private static func time(_ seconds: Double) -> String {
        let seconds = Int(min(seconds.rounded(), 359_999))
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }

    /// Without line breaks and escapes, which a title from elsewhere may have.
    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !CharacterSet.controlCharacters.contains($0) }))
    }

    /// The columns that text takes. East Asian characters and emoji take two.
    private static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    private static func columns(_ character: Character) -> Int {
        character.unicodeScalars.first.map { $0.value >= 0x1100 && !$0.properties.isWhitespace ? 2 : 1 } ?? 0
    }

    private static func cut(_ text: String, to room: Int) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += columns(character)
                return used <= room
            })
    }
}
