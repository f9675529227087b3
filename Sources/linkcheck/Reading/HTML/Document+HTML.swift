// Document+HTML: the links and anchors of a web page, and of a drawing.

extension Document {
    /// Parses an HTML text, which need not be well-formed, or XHTML or SVG.
    init(html bytes: Bytes, syntax: HTMLTags.Syntax = .html) {
        var tags = HTMLTags(bytes, syntax: syntax)
        let lines = LineNumbers(of: bytes)
        while tags.next() { add(tags, lines: lines) }
    }

    init(html text: String) { self.init(html: Bytes(text.utf8)) }

    /// Adds the links, the anchors and the base address of a tag.
    mutating func add(_ tags: HTMLTags, lines: LineNumbers) {
        if let id = tags.value(of: "id") { anchors.insert(id) }
        let line = { (range: Range<Int>) in lines[range.lowerBound] }

        for attribute in Self.linkAttributes(of: tags) {
            guard let range = tags.range(of: attribute) else { continue }
            links.append(Link(target: tags.text(range), line: line(range)))
        }
        if tags.isForeign, Self.drawingNames.contains(where: tags.isTag), let range = tags.reference {
            links.append(Link(target: tags.text(range), line: line(range)))
        }
        for attribute in ["srcset", "imagesrcset"] as [StaticString] {
            guard let range = tags.range(of: attribute) else { continue }
            let sources = SourceSet.targets(in: tags.text(range))
            links += sources.map { Link(target: $0, line: line(range)) }
        }
        if let range = tags.range(of: "style") {
            let style = Bytes(tags.text(range).utf8)
            links += StyleSheet.links(in: style, style.indices).map { Link(target: $0.target, line: line(range)) }
        }
        if let range = tags.style {
            links += StyleSheet.links(in: tags.bytes, range).map { Link(target: $0.target, line: lines[$0.offset]) }
        }
        addSpecial(tags, lines: lines)
    }

    private mutating func addSpecial(_ tags: HTMLTags, lines: LineNumbers) {
        if tags.isTag("a"), let name = tags.value(of: "name") {
            anchors.insert(name)
        } else if tags.isTag("base"), base == nil {
            base = tags.value(of: "href")
        } else if tags.isTag("meta"), let range = tags.range(of: "content"),
            tags.value(of: "http-equiv")?.lowercased() == "refresh",
            let target = Refresh.target(in: tags.text(range))
        {
            links.append(Link(target: target, line: lines[range.lowerBound]))
        }
    }

    /// Returns the names of the attributes that contain one address, for the name of the tag.
    private static func linkAttributes(of tags: HTMLTags) -> [StaticString] {
        switch tags.bytes[tags.tag.name.lowerBound].lowercased {
        case "a" where tags.isTag("area") || (tags.isTag("a") && !tags.isForeign): ["href"]
        case "a" where tags.isTag("audio"): ["src"]
        case "b" where tags.isTag("body"): ["background"]
        case "e" where tags.isTag("embed"): ["src"]
        case "f" where tags.isTag("frame"): ["src"]
        // Browsers read `image` as `img`, but in SVG.
        case "i" where tags.isTag("image"): tags.isForeign ? [] : ["src"]
        case "i" where tags.isTag("img") || tags.isTag("iframe") || tags.isTag("input"): ["src"]
        case "l" where tags.isTag("link"): isResource(tags) ? ["href"] : []
        case "o" where tags.isTag("object"): ["data"]
        case "s" where tags.isTag("script") || tags.isTag("source"): ["src"]
        case "t" where tags.isTag("track"): ["src"]
        case "v" where tags.isTag("video"): ["src", "poster"]
        default: []
        }
    }

    /// The elements of SVG that refer to something with `href` or `xlink:href`.
    private static let drawingNames: [StaticString] = ["a", "image", "feimage", "use", "script"]

    /// Returns whether a `link` element names a resource, and not only a host to connect to in advance.
    private static func isResource(_ tags: HTMLTags) -> Bool {
        guard let relation = tags.value(of: "rel")?.lowercased() else { return true }
        return relation != "preconnect" && relation != "dns-prefetch"
    }
}
