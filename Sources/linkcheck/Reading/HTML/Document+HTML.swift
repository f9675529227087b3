// Document+HTML: the links and anchors of a web page.

extension Document {
    /// Reads an HTML text, well-formed or not.
    init(html text: String) {
        let bytes = Bytes(text.utf8)
        add(HTMLTags(bytes), lines: LineNumbers(of: bytes))
    }

    /// Adds what the tags link to and the anchors that they make.
    mutating func add(_ tags: some Sequence<HTMLTag>, lines: LineNumbers) {
        for tag in tags {
            if let id = tag.attributes["id"] { anchors.insert(id.value) }
            if tag.name == "a", let name = tag.attributes["name"] { anchors.insert(name.value) }
            if tag.name == "base", base == nil { base = tag.attributes["href"]?.value }
            // These name a host to prepare for, not something to load.
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

    /// The addresses of `small.png 480w, large.png 2x`. A comma ends one only after a space: they may hold commas.
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
