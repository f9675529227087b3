// MarkdownInlines+References: definitions, as in `[label]: target`, and the links that refer to them.

extension MarkdownInlines {
    /// Reads the definitions at the start of a paragraph, and returns their labels.
    mutating func readDefinitions() -> [String] {
        while readDefinition() {}
        return targets.compactMap(\.label)
    }

    /// Reads `[label]: target` at the start of the paragraph, and returns whether there is one. Footnotes are prose.
    mutating func readDefinition() -> Bool {
        let open = text.skip(from: position, to: end) { $0.isSpace }
        guard open < end, text[open] == "[", !text.has("[^", at: open) else { return false }
        guard let label = labelEnd(from: open + 1), label > open + 1, text.has("]:", at: label), label + 2 <= end
        else { return false }
        let start = text.skip(from: label + 2, to: end) { $0.isSpace }
        guard let (target, after) = MarkdownTarget.destination(in: text, from: start, to: end), after > start
        else { return false }
        // A title that is not followed by the end of its line is a part of the next sentence.
        let title = titleEnd(from: after).flatMap { $0 > after ? lineEnd(from: $0) : nil }
        guard let last = title ?? lineEnd(from: after) else { return false }
        found(target, label: name(in: open + 1..<label))
        take(open..<last)
        return true
    }

    /// Returns the end of the line if only whitespace is left on it.
    private func lineEnd(from start: Int) -> Int? {
        let index = text.skip(from: start, to: end) { $0.isSpace && $0 != "\n" }
        return index == end || text[index] == "\n" ? index : nil
    }

    /// Returns the end of a link whose text has just been closed, if it refers to a definition: that of the label in
    /// `[text][label]`, or the position for `[label]`. Otherwise nil.
    ///
    /// - Parameters:
    ///   - text: The range of the text.
    ///   - isLabel: Whether the text can be a label, as it contains no brackets.
    mutating func referenceEnd(_ range: Range<Int>, isLabel: Bool) -> Int? {
        guard !labels.isEmpty else { return nil }
        if position < end, text[position] == "[", let close = labelEnd(from: position + 1) {
            let label = position + 1..<close
            if label.isEmpty { return isLabel && use(range) ? close + 1 : nil }
            // What is followed by another label is no label itself.
            if text[label].contains(where: { !$0.isSpace }) { return use(label) ? close + 1 : nil }
        }
        return isLabel && use(range) ? position : nil
    }

    /// Returns whether a label has a definition, which is used then.
    private mutating func use(_ range: Range<Int>) -> Bool {
        guard let name = name(in: range), labels.contains(name) else { return false }
        usedLabels.insert(name)
        return true
    }

    /// Returns the offset of the bracket that closes a label, or nil if there is none before another one opens.
    private func labelEnd(from start: Int) -> Int? {
        var index = start
        while index < end, text[index] != "]", text[index] != "[" { index += text[index] == "\\" ? 2 : 1 }
        return index < end && text[index] == "]" ? index : nil
    }

    /// Returns a label in the form in which labels are compared, or nil if it is empty or too long.
    private func name(in range: Range<Int>) -> String? {
        guard range.count < 1000 else { return nil }
        let words = text[range].split(whereSeparator: \.isSpace).map { String(decoding: $0, as: UTF8.self) }
        // As the reference implementation of CommonMark does, so that "ß" and "SS" are the same.
        return words.isEmpty ? nil : words.joined(separator: " ").lowercased().uppercased()
    }
}
