// LineProgram: the lines of one compiled file, which object files have as a program for a small machine.

/// The line-number program of a compilation unit. Running it gives the rows of its table of lines.
///
/// - SeeAlso: DWARF Debugging Information Format, versions 2 to 5, section 6.2, "Line Number Information".
struct LineProgram {
    private var reader: ByteReader
    /// Where the names of the files start, in the order of their numbers.
    private var files: [Int] = []
    private var firstFile = 1
    private let minInstructionLength: UInt
    private let lineBase: Int
    private let lineRange: Int
    private let opcodeBase: UInt8
    /// The number of operands of each standard opcode.
    private var operandCounts: [UInt8] = []

    /// Reads the header of the program at `outer`, which is moved behind the program. Nil at the end of the section.
    init?(_ bytes: UnsafeRawBufferPointer, _ outer: inout ByteReader, texts: Range<Int>) {
        // More is the mark of the format with 64 bits, which no compiler writes unless it is told to.
        guard case let length = outer.number(UInt32.self), length > 0, length < 0xFFFF_FFF0 else { return nil }
        let start = outer.offset
        outer.skip(length)
        reader = ByteReader(bytes, at: start, end: outer.offset)
        let version = reader.number(UInt16.self)
        // The size of an address, and of a segment's selector.
        if version >= 5 { reader.skip(2) }
        let headerLength = reader.number(UInt32.self)
        var program = reader
        program.skip(headerLength)
        minInstructionLength = UInt(reader.byte())
        // The number of operations in an instruction, which is more than 1 for VLIW architectures only.
        if version >= 4 { reader.skip(1) }
        // Whether a row is a statement to begin with.
        reader.skip(1)
        lineBase = Int(Int8(bitPattern: reader.byte()))
        lineRange = Int(reader.byte())
        opcodeBase = reader.byte()
        // A header of another version cannot be read, but its program can be skipped.
        guard (2...5).contains(version), lineRange > 0, opcodeBase > 0 else {
            reader.skip(.max)
            return
        }
        operandCounts = (1..<max(opcodeBase, 1)).map { [reader = reader] in
            var reader = reader
            reader.skip(Int($0) - 1)
            return reader.byte()
        }
        reader.skip(operandCounts.count)
        if version >= 5 {
            firstFile = 0
            _ = readEntries(texts: texts)
            files = readEntries(texts: texts)
        } else {
            readFiles()
        }
        reader = program
    }

    /// Reads the folders and the files of versions 2 to 4.
    private mutating func readFiles() {
        while !reader.isAtEnd, case let start = reader.skipText(), reader.offset > start + 1 {}
        while !reader.isAtEnd, case let start = reader.skipText(), reader.offset > start + 1 {
            files.append(start)
            for _ in 0..<3 { _ = reader.unsigned() }
        }
    }

    /// Reads folders or files of version 5: descriptions of their fields, and then the fields of each. Returns where
    /// their names start.
    private mutating func readEntries(texts: Range<Int>) -> [Int] {
        let formats = (0..<reader.byte()).map { _ in (content: reader.unsigned(), form: reader.unsigned()) }
        let count = reader.unsigned()
        var names: [Int] = []
        // Each entry takes some bytes, so that a wrong count has an end.
        while names.count < count, !reader.isAtEnd, !formats.isEmpty {
            var name = 0
            for format in formats {
                let text = field(format.form, texts: texts)
                // DW_LNCT_path
                if format.content == 1 { name = text }
            }
            names.append(name)
        }
        return names
    }

    /// Skips a field, and returns where its text starts, if it is one.
    private mutating func field(_ form: Int, texts: Range<Int>) -> Int {
        switch form {
        // DW_FORM_string
        case 0x08: return reader.skipText()
        // DW_FORM_line_strp
        case 0x1F: return texts.lowerBound &+ reader.number(UInt32.self)
        // DW_FORM_strp, of a section that is not read here
        case 0x0E: reader.skip(4)
        // DW_FORM_data1, 2, 4, 8 and 16
        case 0x0B: reader.skip(1)
        case 0x05: reader.skip(2)
        case 0x06: reader.skip(4)
        case 0x07: reader.skip(8)
        case 0x1E: reader.skip(16)
        // DW_FORM_udata
        case 0x0F: _ = reader.unsigned()
        // DW_FORM_block
        case 0x09: reader.skip(reader.unsigned())
        // A form that is not known has an unknown size.
        default: reader.skip(.max)
        }
        return 0
    }
}

extension LineProgram {
    /// Runs the program. Calls `add` with each row, and whether that is the end of a sequence of addresses.
    mutating func run(_ add: (LineTable.Row, Bool) -> Void) {
        var (address, file, line) = (UInt(0), 1, 1)
        func row() -> LineTable.Row {
            let index = file &- firstFile
            let isKnown = files.indices.contains(index)
            return LineTable.Row(
                address: address, line: isKnown ? Int32(clamping: line) : 0, file: isKnown ? files[index] : 0)
        }
        while !reader.isAtEnd {
            let opcode = reader.byte()
            if opcode >= opcodeBase {
                let step = Int(opcode - opcodeBase)
                address &+= UInt(step / lineRange) &* minInstructionLength
                line &+= lineBase + step % lineRange
                add(row(), false)
                continue
            }
            switch opcode {
            case 0:
                let length = reader.unsigned()
                var operands = reader
                reader.skip(length)
                switch operands.byte() {
                // DW_LNE_end_sequence
                case 1:
                    add(LineTable.Row(address: address, line: 0, file: 0), true)
                    (address, file, line) = (0, 1, 1)
                // DW_LNE_set_address
                case 2: address = UInt(bitPattern: operands.number(UInt64.self))
                default: break
                }
            // DW_LNS_copy
            case 1: add(row(), false)
            // DW_LNS_advance_pc
            case 2: address &+= UInt(bitPattern: reader.unsigned()) &* minInstructionLength
            // DW_LNS_advance_line
            case 3: line &+= reader.signed()
            // DW_LNS_set_file
            case 4: file = reader.unsigned()
            // DW_LNS_const_add_pc
            case 8: address &+= UInt(Int(255 - opcodeBase) / lineRange) &* minInstructionLength
            // DW_LNS_fixed_advance_pc
            case 9: address &+= UInt(reader.number(UInt16.self))
            // Columns, statements, and what else is of no interest here.
            default: for _ in 0..<operandCounts[Int(opcode) - 1] { _ = reader.unsigned() }
            }
        }
    }
}
