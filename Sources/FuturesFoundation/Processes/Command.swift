// Command: a program that is to be run, with its arguments, its input and its limits.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    import Foundation
    import Futures

    /// A program to run, with its arguments, its input and its limits.
    ///
    ///     Command("git", ["status", "--short"]).run().onValue { output in print(output.text) }
    ///
    /// Unlike Foundation's `Process`, it reads both outputs while the program runs, it is not delayed by programs that
    /// the program has left running, and a program that it starts can be terminated on whatever thread it was started.
    public struct Command: Sendable {
        /// The program: a path, or a name that is looked up in the directories of `PATH`.
        public var executable: String

        /// The arguments, without the name of the program. No shell sees them.
        public var arguments: [String]

        /// The environment; nil, the default, for that of this process.
        public var environment: [String: String]?

        /// The working directory; nil, the default, for that of this process. One that cannot be entered fails the future
        /// with a ``FileError``.
        public var directory: URL?

        /// What the program reads from its standard input; empty by default.
        public var input = Data()

        /// The maximum size of both outputs together in bytes; 64 MiB by default. A program that writes more is
        /// terminated, and its future fails; also if it has ended, and another program that it has started writes more.
        public var maxOutputSize = 64 << 20

        /// The time limit, after which the program is terminated and its future fails; nil, the default, for none.
        ///
        /// If the program has ended in time, the limit ends the reading of outputs that other programs keep open, and
        /// the future succeeds.
        public var timeout: Duration?

        /// How long a program that is terminated may take until it is killed, and how long an output is read that a
        /// background process has kept open; 5 seconds by default.
        public var gracePeriod: Duration = .seconds(5)

        /// Whether the program gets a process group of its own, so that it is terminated together with the programs
        /// that it has started; false by default.
        ///
        /// A program in a group of its own does not get the Ctrl-C of the terminal. It continues if this process is
        /// terminated by it.
        public var createsProcessGroup = false

        /// Returns whether a status is a success; by default, an exit with 0. Others fail with `CommandError.failed`.
        public var acceptsStatus: @Sendable (CommandOutput.Status) -> Bool = { $0 == .exited(0) }

        /// Creates a command with the default limits.
        ///
        /// - Parameters:
        ///   - executable: The program: a path, or a name that is looked up in the directories of `PATH`.
        ///   - arguments: The arguments, without the name of the program.
        public init(_ executable: String, _ arguments: [String] = []) {
            self.executable = executable
            self.arguments = arguments
        }

        /// Starts the program, and returns a future of its outputs, which completes when it has ended.
        ///
        /// Cancelling the future terminates the program with `SIGTERM`, and kills it if it has not ended after the
        /// grace period. The cancel does not wait for that. Each repetition of the future runs the program again.
        ///
        /// At most 64 programs of this process run at the same time. The others wait, and their time limits start when
        /// they start. A program whose future was cancelled does not count.
        public func run(file: StaticString = #fileID, line: UInt = #line) -> Future<CommandOutput> {
            Self.running.on(.immediate).enqueue(file: file, line: line) {
                Future(on: .immediate, file: file, line: line) { completion in
                    let run = CommandRun(self, completion)
                    run.start()
                    return Disposer { run.cancel() }
                }
            }
            .named(executable)
        }

        /// Each program takes two threads and four open files of this process.
        static let running = FutureQueue(label: "Command", maxConcurrentCount: 64)
    }

#endif
