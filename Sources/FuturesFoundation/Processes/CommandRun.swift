// CommandRun: one run of a program, from its launch until it was reaped.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    import Dispatch
    import Foundation
    import Futures

    /// One run of a program.
    ///
    /// A thread waits for the end of the program and retains the run until then, also if the future is cancelled.
    /// Everything else happens on a serial queue. So a signal is never sent to a program that was reaped, whose number
    /// may be that of another one.
    // Safe to share: the variables are accessed on `queue` only.
    final class CommandRun: @unchecked Sendable {
        private enum State {
            /// Next is running or ended.
            case created
            /// Next is exited.
            case running(pid_t)
            /// Reaped, with its status if that is known, and its outputs are still open. Next is ended.
            case exited(CommandOutput.Status?)
            /// The final state.
            case ended
        }

        private let command: Command
        private let completion: Future<CommandOutput>.Completion
        private let queue = DispatchQueue(label: "futures.command")
        private var state = State.created
        private var isCancelled = false
        /// Why the program was terminated by its limits.
        private var failure: ((CommandOutput) -> CommandError)?
        private var reader: OutputReader?
        private var timers: [any Disposable] = []

        init(_ command: Command, _ completion: @escaping Future<CommandOutput>.Completion) {
            self.command = command
            self.completion = completion
        }

        /// Starts the program.
        func start() { queue.async { self.launch() } }

        /// Terminates the program.
        func cancel() {
            queue.async {
                self.isCancelled = true
                self.terminate()
            }
        }
    }

    extension CommandRun {
        private func launch() {
            guard !isCancelled else { return state = .ended }
            do {
                let (waiting, reading) = try threads()
                let spawned = try SpawnedProcess(command)
                reader = OutputReader(spawned.outputs, stop: spawned.stop, on: reading, queue: queue) { [weak self] in
                    self?.noteOutput()
                }
                state = .running(spawned.id)
                waiting.run {
                    spawned.waitForExit()
                    self.queue.async { self.reap(spawned) }
                }
            } catch {
                state = .ended
                completion(.failure(error))
                return
            }
            guard let limit = command.timeout else { return }
            wait(limit) { run in
                // A program that has ended in time has succeeded. Its outputs are not read any longer.
                if case .exited = run.state { return run.end() }
                let name = run.command.executable
                run.stop { .timedOut(executable: name, after: limit, $0) }
            }
        }

        /// The threads that a program needs, before there is one.
        private func threads() throws -> (waiting: ParkedThread, reading: ParkedThread) {
            do {
                return (try ParkedThread(), try ParkedThread())
            } catch {
                throw CommandError.notLaunched(executable: command.executable, code: error.code)
            }
        }

        private func noteOutput() {
            if let reader, reader.size > command.maxOutputSize {
                let (name, limit) = (command.executable, command.maxOutputSize)
                stop { _ in .outputTooLarge(executable: name, maxOutputSize: limit) }
            }
            endIfComplete()
        }

        private func stop(_ failure: @escaping (CommandOutput) -> CommandError) {
            guard self.failure == nil else { return }
            self.failure = failure
            terminate()
        }

        /// Terminates the program, and kills it after the grace period. If it has ended, its outputs are not read any
        /// longer: another process may keep them open, and write without end.
        private func terminate() {
            if case .exited = state { return end() }
            guard case .running = state else { return }
            // What it writes from now on is read, so that it does not wait, and discarded.
            reader?.discards = true
            signal(SIGTERM)
            // A program that is stopped does not handle signals.
            signal(SIGCONT)
            wait(command.gracePeriod) { $0.signal(SIGKILL) }
        }

        private func signal(_ number: Int32) {
            guard case .running(let id) = state else { return }
            _ = kill(command.createsProcessGroup ? -id : id, number)
        }

        private func reap(_ process: SpawnedProcess) {
            // The rest of its group, while the number still is that of the group.
            if command.createsProcessGroup, isCancelled || failure != nil { signal(SIGKILL) }
            state = .exited(process.reap())
            endIfComplete()
            wait(command.gracePeriod) { $0.end() }
        }

        /// Ends if all outputs were read, or if the program was terminated and nothing that comes is kept.
        private func endIfComplete() {
            if let reader, reader.isAtEnd || reader.discards { end() }
        }

        private func end() {
            guard case .exited(let status) = state else { return }
            state = .ended
            for timer in timers { timer.dispose() }
            reader?.close()
            let data = reader?.data ?? [Data(), Data()]
            (timers, reader) = ([], nil)
            guard let status else {
                let error = CommandError.statusUnavailable(executable: command.executable, code: ECHILD)
                return completion(.failure(error))
            }
            let output = CommandOutput(status: status, standardOutput: data[0], standardError: data[1])
            if let failure {
                completion(.failure(failure(output)))
            } else if command.acceptsStatus(status) {
                completion(.success(output))
            } else {
                completion(.failure(CommandError.failed(executable: command.executable, output)))
            }
        }

        private func wait(_ time: Duration, _ body: @escaping @Sendable (CommandRun) -> Void) {
            guard case .ended = state else {
                // Retains the run until `end`, which disposes it. On a thread of its own, because the code that waits for
                // this may block those of other schedulers.
                let timer = Scheduler.unblocked.async(after: time) { self.queue.async { body(self) } }
                return timers.append(timer)
            }
        }
    }

#endif
