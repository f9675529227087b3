// ProgramImage: the functions of a program or a library on disk, by their addresses.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Bionic)
    internal import Bionic
#endif

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic)

    /// The symbol table of an ELF file of 64 bits, which has the functions that are not exported, too.
    ///
    /// The linker's `dladdr` knows exported functions only, and those of a program are not. After `strip` there is no such
    /// table, and nothing is found.
    /// - SeeAlso: System V Application Binary Interface, chapter 4, "Object Files" (sections and symbol tables).
    struct ProgramImage: Sendable {
        private struct Function: Sendable {
            let address: UInt
            let size: UInt
            /// Where its name starts in the file.
            let name: Int
        }

        /// The functions in the order of their addresses, which count from where the file is loaded.
        private let functions: [Function]
        private let contents: Contents

        /// The bytes of a file, mapped into memory for as long as the process lives.
        // Safe to share: nothing writes to them.
        private struct Contents: @unchecked Sendable {
            let bytes: UnsafeRawBufferPointer

            init?(_ path: String) {
                let file = open(path, O_RDONLY)
                guard file >= 0 else { return nil }
                defer { close(file) }
                let size = Int(lseek(file, 0, SEEK_END))
                guard size > 64, let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED
                else { return nil }
                bytes = UnsafeRawBufferPointer(start: start, count: size)
            }

            /// A number in the file; 0 if it is not within.
            func number<T: FixedWidthInteger>(_ type: T.Type, at offset: Int) -> Int {
                guard offset >= 0, offset + MemoryLayout<T>.size <= bytes.count else { return 0 }
                return Int(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
            }

            /// The text at `offset`, up to a zero.
            func text(at offset: Int) -> String {
                guard offset > 0, offset < bytes.count else { return "" }
                return String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
            }
        }

        init?(path: String) {
            guard let contents = Contents(path),
                // ELF, of 64 bits, the lower byte of a number first.
                contents.bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
            else { return nil }
            let sections = contents.number(UInt64.self, at: 0x28)
            let (entrySize, count) = (contents.number(UInt16.self, at: 0x3A), contents.number(UInt16.self, at: 0x3C))
            func header(_ index: Int) -> Int { sections + index * entrySize }
            // Type 2 is a symbol table.
            guard let table = (0..<count).first(where: { contents.number(UInt32.self, at: header($0) + 4) == 2 }) else {
                return nil
            }
            let symbols = contents.number(UInt64.self, at: header(table) + 0x18)
            let size = contents.number(UInt64.self, at: header(table) + 0x20)
            let names = contents.number(
                UInt64.self, at: header(contents.number(UInt32.self, at: header(table) + 0x28)) + 0x18)
            functions = stride(from: symbols, to: min(symbols + size, contents.bytes.count), by: 24).compactMap {
                // The lower four bits are the type of the symbol: 2 is a function.
                guard contents.number(UInt8.self, at: $0 + 4) & 0xF == 2 else { return nil }
                return Function(
                    address: UInt(contents.number(UInt64.self, at: $0 + 8)),
                    size: UInt(contents.number(UInt64.self, at: $0 + 16)),
                    name: names + contents.number(UInt32.self, at: $0))
            }.sorted { $0.address < $1.address }
            self.contents = contents
        }

        /// The mangled name of the function at `address`, counted from where the file is loaded.
        ///
        /// - Complexity: O(log *n*), where *n* is the number of functions.
        func function(at address: UInt) -> String? {
            var (low, high) = (0, functions.count)
            while low < high {
                let middle = (low + high) / 2
                if functions[middle].address <= address { low = middle + 1 } else { high = middle }
            }
            guard low > 0, address < functions[low - 1].address + max(functions[low - 1].size, 1) else { return nil }
            return contents.text(at: functions[low - 1].name)
        }
    }

#endif
