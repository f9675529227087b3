// ProgramFile: the sections of a program or a library on disk.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#endif

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic)

    /// An ELF file of 64 bits, mapped into memory for as long as the process lives.
    /// - SeeAlso: System V Application Binary Interface, chapter 4, "Object Files".
    // Safe to share: nothing writes to its bytes.
    struct ProgramFile: @unchecked Sendable {
        struct Section {
            let name: String
            /// 2 is a symbol table.
            let type: Int
            let range: Range<Int>
            /// The number of another section: for a symbol table, that of the names.
            let link: Int
        }

        let bytes: UnsafeRawBufferPointer
        let sections: [Section]

        /// Maps the file; nil if it is none of this kind, or cannot be read.
        init?(path: String) {
            let file = open(path, O_RDONLY)
            guard file >= 0 else { return nil }
            defer { close(file) }
            let size = Int(lseek(file, 0, SEEK_END))
            guard size > 64, let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
                return nil
            }
            self.init(bytes: UnsafeRawBufferPointer(start: start, count: size))
        }

        private init?(bytes: UnsafeRawBufferPointer) {
            // ELF, of 64 bits, the lower byte of a number first.
            guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
            var reader = ByteReader(bytes, at: 0x28)
            let headers = reader.number(UInt64.self)
            reader.skip(0x3A - 0x30)
            let (headerSize, count) = (reader.number(UInt16.self), reader.number(UInt16.self))
            let namesIndex = reader.number(UInt16.self)
            func header(_ index: Int) -> (name: Int, Section) {
                var reader = ByteReader(bytes, at: headers &+ index &* headerSize)
                let (name, type, flags) = (
                    reader.number(UInt32.self), reader.number(UInt32.self), reader.number(UInt64.self)
                )
                reader.skip(8)
                let (start, size) = (reader.number(UInt64.self), reader.number(UInt64.self))
                // 0x800 is a compressed section, and one of type 8 takes no place in the file.
                let isThere = flags & 0x800 == 0 && type != 8 && start >= 0 && size >= 0 && start <= bytes.count
                let range = isThere ? start..<start + min(size, bytes.count - start) : 0..<0
                return (name, Section(name: "", type: type, range: range, link: reader.number(UInt32.self)))
            }
            let names = header(namesIndex).1.range
            sections = (0..<count).map { index in
                let (name, section) = header(index)
                let start = names.lowerBound + name
                return Section(
                    name: names.contains(start) ? ByteReader(bytes, at: start).text : "", type: section.type,
                    range: section.range, link: section.link)
            }
            self.bytes = bytes
        }

        /// The bytes of a section; none if there is no such section.
        func section(_ name: String) -> Range<Int> { sections.first { $0.name == name }?.range ?? 0..<0 }
    }

#endif
