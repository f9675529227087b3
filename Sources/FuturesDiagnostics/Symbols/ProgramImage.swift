// ProgramImage: the functions of a program or a library on disk, by their addresses.

import Futures

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic)

    /// The functions of an ELF file, also those that are not exported, and the lines of their code.
    ///
    /// The linker's `dladdr` knows exported functions only, and those of a program are not. After `strip` nothing is
    /// found.
    /// - SeeAlso: System V Application Binary Interface, chapter 4, "Symbol Table".
    final class ProgramImage: Sendable {
        private struct Function: Sendable {
            let address: UInt
            let size: UInt
            /// Where its name starts in the file.
            let name: Int
        }

        private let file: ProgramFile
        /// In the order of their addresses, which count from where the file is loaded.
        private let functions: [Function]
        /// Read when the first line is asked for.
        private let lines = Locked<LineTable?>(nil)

        init?(path: String) {
            guard let file = ProgramFile(path: path), let table = file.sections.first(where: { $0.type == 2 }),
                file.sections.indices.contains(table.link)
            else { return nil }
            let names = file.sections[table.link].range.lowerBound
            functions = stride(from: table.range.lowerBound, to: table.range.upperBound, by: 24).compactMap {
                var reader = ByteReader(file.bytes, at: $0)
                let name = reader.number(UInt32.self)
                // The lower four bits are the type of the symbol: 2 is a function.
                guard reader.byte() & 0xF == 2 else { return nil }
                reader.skip(3)
                return Function(
                    address: UInt(bitPattern: reader.number(UInt64.self)),
                    size: UInt(bitPattern: reader.number(UInt64.self)),
                    name: names + name)
                // `main` is a second name of a size of 0, behind which nothing is.
            }.sorted { ($0.address, $0.size) < ($1.address, $1.size) }
            self.file = file
        }

        /// The mangled name and the start of the function at `address`. Both count from where the file is loaded.
        ///
        /// - Complexity: O(log *n*), where *n* is the number of functions.
        func function(at address: UInt) -> (name: String, start: UInt)? {
            guard let function = functions.last(upTo: address, \.address),
                address - function.address < max(function.size, 1)
            else { return nil }
            return (ByteReader(file.bytes, at: function.name).text, function.address)
        }

        /// The source file and the line of the code at `address`, counted from where the file is loaded.
        func line(at address: UInt) -> SourceLine? {
            guard let start = function(at: address)?.start else { return nil }
            let table = lines.withLock { table in
                let known =
                    table
                    ?? LineTable(
                        file.bytes, lines: file.section(".debug_line"), texts: file.section(".debug_line_str"))
                table = known
                return known
            }
            return table.row(at: address, in: start).flatMap { row, isExact in
                let path = ByteReader(file.bytes, at: row.file).text
                // What a macro expands to is in no file that a person can open.
                if path.contains("@__swiftmacro_") { return nil }
                return SourceLine(
                    file: path.split(separator: "/").last.map(String.init) ?? path, line: Int(row.line),
                    isExact: isExact)
            }
        }
    }

#endif
