// OutputReader: reads what a program writes to its pipes, as it comes.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    import Dispatch
    import Foundation
    import Futures

    /// Reads several pipes to their ends, on a thread of its own.
    // A thread, and no dispatch sources: on Linux, those of Dispatch (Swift 6.3) may lose the end of a pipe that hangs
    // up, and have crashed its event loop.
    //
    // Safe to share: the variables are accessed on `queue` only.
    final class OutputReader: @unchecked Sendable {
        /// What was read of each pipe.
        private(set) var data: [Data]
        private(set) var isAtEnd = false
        /// Whether further output is read, and not kept.
        var discards = false
        /// A byte that is written to it ends the thread. Both ends are retained: writing to a pipe that nothing can
        /// read raises `SIGPIPE`.
        private let stop: (reading: OpenFile, writing: OpenFile)

        var size: Int { data.reduce(0) { $0 + $1.count } }

        /// Reads `pipes` on `thread`, until they are at their ends or `close()` writes to the other pipe. `onChange` is
        /// called on `queue` when there is more, and when all pipes are at their ends.
        init(
            _ pipes: [OpenFile], stop: (reading: OpenFile, writing: OpenFile), on thread: ParkedThread,
            queue: DispatchQueue,
            onChange: @escaping @Sendable () -> Void
        ) {
            data = pipes.map { _ in Data() }
            self.stop = stop
            let waiter = stop.reading
            thread.run { [weak self] in
                var open = Array(pipes.enumerated())
                while !open.isEmpty {
                    var polls = (open.map(\.element) + [waiter]).map {
                        pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
                    }
                    _ = poll(&polls, nfds_t(polls.count), -1)
                    guard polls.last?.revents == 0 else { return }
                    for (poll, (index, pipe)) in zip(polls, open).reversed() where poll.revents != 0 {
                        let part = (try? pipe.read(upTo: 64 * 1024)) ?? []
                        if part.isEmpty { open.removeAll { $0.offset == index } }
                        // Waits, so that no more is in memory than what is kept.
                        queue.sync { self?.add(part, to: index, isAtEnd: open.isEmpty) }
                        queue.async(execute: onChange)
                    }
                }
            }
        }

        /// Closes the pipes.
        func close() {
            isAtEnd = true
            [1].withUnsafeBytes { try? stop.writing.write(UnsafeRawBufferPointer(rebasing: $0.prefix(1))) }
        }

        private func add(_ part: [UInt8], to index: Int, isAtEnd: Bool) {
            if !discards { data[index].append(contentsOf: part) }
            if isAtEnd { self.isAtEnd = true }
        }
    }

#endif
