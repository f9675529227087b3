// SpawnedProcess: starts a program with pipes, and waits for its end.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    import Foundation
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

    /// A program that was started.
    struct SpawnedProcess: Sendable {
        let id: pid_t
        /// The ends from which its standard output and its standard error are read.
        let outputs: [OpenFile]
        /// A pipe to end the thread that reads the outputs.
        let stop: (reading: OpenFile, writing: OpenFile)

        init(_ command: Command) throws {
            let (arguments, environment) = (
                [command.executable] + command.arguments,
                (command.environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
            )
            // A text with a zero would be cut off there.
            let texts = arguments + environment + [command.directory?.path ?? ""]
            guard !command.executable.isEmpty, !texts.contains(where: { $0.utf8.contains(0) }) else {
                throw CommandError.notLaunched(executable: command.executable, code: EINVAL)
            }
            if let directory = command.directory?.path, access(directory + "/.", X_OK) != 0 {
                throw FileError.system(call: "enter", path: directory, code: errno)
            }
            do {
                let input = try Self.file(containing: command.input)
                (id, outputs, stop) = try Self.isSpawning.withLock { _ in
                    let stop = try OpenFile.pipe()
                    let (output, error) = (try OpenFile.pipe(), try OpenFile.pipe())
                    let options = SpawnOptions(createsGroup: command.createsProcessGroup)
                    options.use(input.descriptor, as: 0)
                    options.use(output.writing.descriptor, as: 1)
                    options.use(error.writing.descriptor, as: 2)
                    options.closeOthers()
                    var id: pid_t = 0
                    var code = command.directory.map { options.change(to: $0.path) } ?? 0
                    if code == 0 { code = options.spawn(&id, arguments, environment) }
                    guard code == 0 else { throw CommandError.notLaunched(executable: command.executable, code: code) }
                    return (id, [output.reading, error.reading], stop)
                }
            } catch FileError.system(_, _, let code) {
                // Of the pipes or the input, which have no names that the caller knows.
                throw CommandError.notLaunched(executable: command.executable, code: code)
            }
        }

        /// Held while a program is started: another one that is started meanwhile would inherit the pipes, and keep
        /// them open.
        // (Not of `()`: the thread sanitizer reports a race about a value without a size.)
        private static let isSpawning = Locked(false)

        /// Blocks until the program has ended, and leaves its number to it.
        func waitForExit() {
            var information = siginfo_t()
            while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        }

        /// Returns how the program has ended; nil if that is not known. The number may then be given to another one.
        func reap() -> CommandOutput.Status? {
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0 {
                if errno != EINTR { return nil }
            }
            return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signaled(status & 0x7F)
        }

        /// Returns a file without a name, at the start of what it contains. Unlike a pipe, it needs no thread that
        /// writes while the program reads, and raises no signal if the program does not read it.
        private static func file(containing data: Data) throws -> OpenFile {
            guard !data.isEmpty else { return try OpenFile("/dev/null", O_RDONLY) }
            let name = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
            let file = try OpenFile(name, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
            unlink(name)
            try file.write(data)
            try OpenFile.retrying("seek", name) { lseek(file.descriptor, 0, SEEK_SET) }
            return file
        }
    }

#endif
