// Values: parses the values of options.

import Foundation

enum Values {
    static func count(_ text: String, for option: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let count = Int(text), range.contains(count) else {
            throw UsageError.badValue(
                text, for: option, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }

    static func seconds(_ text: String, for option: String) throws -> Duration {
        guard let seconds = Double(text), (0.001...100_000_000).contains(seconds) else {
            throw UsageError.badValue(text, for: option, "a number of seconds from 0.001 to 100000000")
        }
        return .seconds(seconds)
    }

    static func size(_ text: String, for option: String) throws -> Int {
        let units: [Character: Int] = ["k": 1000, "m": 1_000_000, "g": 1_000_000_000]
        let unit = text.last.flatMap { units[Character($0.lowercased())] }
        guard let size = Int(unit == nil ? text : String(text.dropLast())), size > 0,
            case let (bytes, overflow) = size.multipliedReportingOverflow(by: unit ?? 1), !overflow,
            bytes <= 1_000_000_000
        else { throw UsageError.badValue(text, for: option, "a size up to 1G, such as 500k or 20M") }
        return bytes
    }

    static func statuses(_ text: String, for option: String) throws -> [ClosedRange<Int>] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard let first = ends.first, let last = ends.last, ends.count <= 2, 100 <= first, first <= last,
                last <= 999
            else { throw UsageError.badValue(text, for: option, "statuses such as 200-299,403") }
            return first...last
        }
    }

    static func pattern(_ text: String, for option: String) throws -> String {
        guard !text.isEmpty, (try? Regex(text)) != nil else {
            throw UsageError.badValue(text, for: option, "a regular expression")
        }
        return text
    }

    static func field(_ text: String, for option: String) throws -> HeaderField {
        let parts = text.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2, parts[0].utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == "-" || $0 == "_" }) else {
            throw UsageError.badValue(text, for: option, "a field such as 'Accept-Language: en'")
        }
        return HeaderField(name: parts[0], value: try fieldValue(parts[1], for: option))
    }

    static func fieldValue(_ text: String, for option: String) throws -> String {
        guard text.utf8.allSatisfy({ $0 >= " " && $0 != 0x7F }) else {
            throw UsageError.badValue(text, for: option, "text without line breaks")
        }
        return text
    }

    /// Returns an address in the form of `LinkBase.published`.
    static func site(_ text: String, for option: String) throws -> String {
        guard case .web(let address, fragment: nil) = LinkTarget(text, on: .file("/")), address.query() == nil else {
            throw UsageError.badValue(text, for: option, "an address such as https://example.org/docs/")
        }
        let site = String(address.absoluteString.drop { $0 != "/" })
        return site.hasSuffix("/") ? site : site + "/"
    }

    static func choice<T: RawRepresentable<String> & CaseIterable>(_ text: String, for option: String) throws -> T {
        guard let choice = T(rawValue: text) else {
            let choices = T.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError.badValue(text, for: option, "one of \(choices)")
        }
        return choice
    }
}
