// Symbols: the names of functions and the lines of their code, by addresses in them.

internal import CFutures
import Futures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds names of functions, and lines. What was found, and what was read of programs and libraries, is kept.
enum Symbols {
    /// The function with the instruction at `address`; nil if that is not known.
    static func function(at address: UInt) -> FunctionName? {
        if let known = known.withLock({ $0[address] }) { return known }
        let function = mangledName(at: address).map(FunctionName.init(mangled:))
        known.withLock { $0[address] = .some(function) }
        return function
    }

    /// What was found before: many futures are made by the same code.
    private static let known = Locked<[UInt: FunctionName?]>([:])

    private static func mangledName(at address: UInt) -> String? {
        var (file, base, exported) = (UnsafePointer<CChar>?.none, UInt(0), UnsafePointer<CChar>?.none)
        guard cfutures_find_image(address, &file, &base, &exported) else { return nil }
        #if canImport(Glibc) || canImport(Musl) || canImport(Bionic)
            return image(file, at: base)?.function(at: address - base)?.name
        #else
            return exported.map { String(cString: $0) }
        #endif
    }

    /// The line of the instruction at `address`; nil if that is not known.
    static func line(at address: UInt) -> SourceLine? {
        #if canImport(Glibc) || canImport(Musl) || canImport(Bionic)
            var (file, base, exported) = (UnsafePointer<CChar>?.none, UInt(0), UnsafePointer<CChar>?.none)
            guard cfutures_find_image(address, &file, &base, &exported) else { return nil }
            return image(file, at: base)?.line(at: address - base)
        #else
            return nil
        #endif
    }

    #if canImport(Glibc) || canImport(Musl) || canImport(Bionic)
        private static let images = Locked<[UInt: ProgramImage?]>([:])

        private static func image(_ file: UnsafePointer<CChar>?, at base: UInt) -> ProgramImage? {
            images.withLock { images in
                if let known = images[base] { return known }
                // The name of the program itself is what it was called by, which may be relative to another folder.
                let image =
                    file.flatMap { ProgramImage(path: String(cString: $0)) } ?? ProgramImage(path: "/proc/self/exe")
                images[base] = image
                return image
            }
        }
    #endif

    /// A readable form of a mangled name, or that name.
    static func demangled(_ name: String) -> String {
        guard let readable = name.withCString({ swift_demangle($0, UInt(name.utf8.count), nil, nil, 0) }) else {
            return name
        }
        defer { free(readable) }
        return String(cString: readable)
    }
}
