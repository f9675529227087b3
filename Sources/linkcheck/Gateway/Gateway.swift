// Gateway: starts processes that send requests with URLSession.

import Foundation

/// Starts gateway processes: this program again, with a socket as its standard input.
@MainActor
final class Gateway {
    /// The argument that makes the program a gateway.
    static let argument = "--gateway"

    private let executable: URL?
    private let needsAlways: Bool

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - executable: The program, by default this one.
    ///   - needsAlways: Whether requests for `http` use it as well. By default, they do if the environment names a proxy
    ///     for them.
    init(executable: URL? = Bundle.main.executableURL, needsAlways: Bool? = nil) {
        self.executable = executable
        let environment = ProcessInfo.processInfo.environment
        self.needsAlways = needsAlways ?? (environment["http_proxy"]?.isEmpty == false)
    }

    func isNeeded(for address: URL) -> Bool { needsAlways || address.scheme == "https" }

    /// Starts a process and returns the connection to it. The process ends when the connection is released.
    func start(idleTimeout: Duration) throws -> HTTPConnection {
        guard let executable else {
            throw FetchError.unreachable("https needs the path of this program, which is unknown", isTransient: false)
        }
        let (socket, other) = try Socket.pair()
        let process = Process()
        process.executableURL = executable
        process.arguments = [Self.argument, "\(max(1, idleTimeout.components.seconds))"]
        process.standardInput = FileHandle(fileDescriptor: other.descriptor)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            let reason = "a process for https cannot be started: \(error.localizedDescription)"
            throw FetchError.unreachable(reason, isTransient: true)
        }
        return HTTPConnection(socket, isProxied: true)
    }
}
