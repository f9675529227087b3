// PseudoTerminal: a terminal without a screen.

import Foundation

final class PseudoTerminal {
    private let master: Int32
    /// What a program in the terminal writes to.
    let file: FileHandle

    /// Returns nil where the system has none.
    init?() {
        #if canImport(Darwin)
            master = posix_openpt(O_RDWR | O_NOCTTY)
            guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0 else { return nil }
            let path = String(cString: ptsname(master))
        #else
            // The functions above are not in Swift's module of the C library.
            master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var (lock, number): (Int32, UInt32) = (0, 0)
            let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
            guard master >= 0, ioctl(master, unlock, &lock) == 0, ioctl(master, getNumber, &number) == 0 else {
                return nil
            }
            let path = "/dev/pts/\(number)"
        #endif
        guard let file = FileHandle(forUpdatingAtPath: path) else { return nil }
        self.file = file
    }

    deinit { close(master) }
}
