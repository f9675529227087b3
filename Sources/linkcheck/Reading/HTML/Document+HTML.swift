// Document+HTML: the links and anchors of a web page.

extension Document {
    /// Parses an HTML text, which need not be well-formed.
    init(html text: String) {
        let bytes = Bytes(text.utf8)
        add(HTMLTags(bytes), lines: LineNumbers(of: bytes))
    }

    /// Adds the links, the anchors and the base address of the tags.
    mutating func add(_ tags: some Sequence<HTMLTag>, lines: LineNumbers) {
        for tag in tags {
            if let id = tag.attributes["id"] { anchors.insert(id.value) }
            if tag.name == "a", let name = tag.attributes["name"] { anchors.insert(name.value) }
            if tag.name == "base", base == nil { base = tag.attributes["href"]?.value }
            // These name a host to connect to in advance, not a resource to load.
            let relation = tag.attributes["rel"]?.value.lowercased() ?? ""
            if tag.name == "link", ["preconnect", "dns-prefetch"].contains(relation) { continue }

            for name in Self.linkAttributes[tag.name] ?? [] {
                guard let attribute = tag.attributes[name] else { continue }
                let targets = name == "srcset" ? Self.sources(in: attribute.value) : [attribute.value]
                links += targets.map { Link(target: $0, line: lines[attribute.offset]) }
            }
        }
    }

    private static let linkAttributes = [
        "a": ["href"], "area": ["href"], "link": ["href"], "img": ["src", "srcset"],
        "source": ["src", "srcset"], "script": ["src"], "iframe": ["src"], "frame": ["src"],
        "embed": ["src"], "track": ["src"], "audio": ["src"], "video": ["src", "poster"],
        "object": ["data"], "input": ["src"],
    ]

    /// Returns the addresses in `small.png 480w, large.png 2x`. An address ends at whitespace and may contain commas,
    /// but not end with one.
    private static func sources(in set: String) -> [String] {
        var sources: [String] = []
        var rest = set[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            guard !rest.isEmpty else { return sources }
            var source = rest.prefix { !$0.isWhitespace }
            rest = rest[source.endIndex...]
            if source.last == "," {
                while source.last == "," { source.removeLast() }
            } else {
                rest = rest.drop { $0 != "," }
            }
            sources.append(String(source))
        }
    }
}
