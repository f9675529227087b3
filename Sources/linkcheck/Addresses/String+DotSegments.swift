// String+DotSegments: `.` and `..` in the paths of addresses, as browsers read them.

extension String {
    /// The address with `.` and `..` for the parts of its path that are written with escapes, such as `%2E%2e`.
    var decodingDotSegments: String {
        guard utf8.contains("%") else { return self }
        let end = utf8.firstIndex { $0 == "?" || $0 == "#" } ?? endIndex
        let segments = self[..<end].utf8.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let text = Substring(segment)
            // No dot segment is longer.
            guard segment.count <= 6 else { return text }
            return switch text.lowercased() {
            case "%2e": "."
            case "%2e.", ".%2e", "%2e%2e": ".."
            default: text
            }
        }
        return segments.joined(separator: "/") + self[end...]
    }

    /// The path without its parts that are `.` or `..` (RFC 3986, 5.2.4, "Remove Dot Segments").
    var removingDotSegments: String {
        guard contains("/.") else { return self }
        let segments = utf8.split(separator: "/", omittingEmptySubsequences: false).map { Substring($0) }
        var kept: [Substring] = []
        for segment in segments.dropFirst() {
            switch segment {
            case ".": continue
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        // What ends with a dot segment is a folder.
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}
