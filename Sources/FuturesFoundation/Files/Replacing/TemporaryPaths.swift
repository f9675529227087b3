// TemporaryPaths: the temporary files of the process, which are removed when it exits.

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

/// The paths of temporary files that exist now. Those that are left when the process calls `exit`, or returns from its
/// main program, are removed then.
///
/// A future ends when it is cancelled, and the thread that waits for it may exit before the cancelling thread has
/// disposed of the operation.
final class TemporaryPaths: Sendable {
    /// The ones of this process.
    static let shared: TemporaryPaths = {
        atexit { TemporaryPaths.shared.removeAll() }
        return TemporaryPaths()
    }()

    private struct State {
        var paths: Set<String> = []
        var isExiting = false
    }

    private let state = Locked(State())

    private init() {}

    /// Calls `body`, which makes a file at `path`, and remembers the path. Throws if the process exits.
    // The lock is not held meanwhile, as a file system may be slow. Of `removeAll` and the second look at `isExiting`,
    // one comes later, and removes the file.
    func adding<T>(_ path: String, _ body: () throws -> T) throws -> T {
        try state.withLock { state in
            if state.isExiting { throw CancellationError() }
            state.paths.insert(path)
        }
        do {
            let made = try body()
            guard state.withLock({ $0.isExiting }) else { return made }
            unlink(path)
            throw CancellationError()
        } catch {
            forget(path)
            throw error
        }
    }

    /// Forgets a path whose file was removed or renamed.
    func forget(_ path: String) { _ = state.withLock { $0.paths.remove(path) } }

    private func removeAll() {
        let paths = state.withLock { state in
            state.isExiting = true
            return state.paths
        }
        for path in paths { unlink(path) }
    }
}
