// JSON: a small JSON writer, because Foundation must not be loaded.

/// A JSON value.
indirect enum JSON {
    case object([(String, JSON)])
    case array([JSON])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    static func optional(_ number: Double?) -> JSON { number.map(JSON.number) ?? .null }

    /// The value as indented text.
    var text: String { text(indented: "") }

    private func text(indented indent: String) -> String {
        let inner = indent + "  "
        switch self {
        case .object(let fields):
            return Self.lines(
                "{", fields.map { inner + Self.quoted($0) + ": " + $1.text(indented: inner) }, indent + "}")
        case .array(let elements):
            return Self.lines("[", elements.map { inner + $0.text(indented: inner) }, indent + "]")
        case .string(let text): return Self.quoted(text)
        case .number(let number): return Self.digits(number)
        case .bool(let bool): return bool ? "true" : "false"
        case .null: return "null"
        }
    }

    private static func lines(_ start: String, _ lines: [String], _ end: String) -> String {
        guard !lines.isEmpty else { return start + end.drop { $0 == " " } }
        return start + "\n" + lines.joined(separator: ",\n") + "\n" + end
    }

    /// Returns the number as text, or `null` for an infinity or NaN, which JSON does not have.
    private static func digits(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        return number == number.rounded() && number.magnitude < 1e15 ? String(Int(number)) : number.decimals(4)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
