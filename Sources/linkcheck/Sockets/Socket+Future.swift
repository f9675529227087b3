// Socket+Future: turns the readiness of a socket into a future.

@preconcurrency import Dispatch
import Futures

extension Socket {
    /// Returns a future that succeeds when there are bytes to receive, or when the connection has ended.
    func readable() -> Future<Void> {
        ready { DispatchSource.makeReadSource(fileDescriptor: $0, queue: .global()) }
    }

    /// Returns a future that succeeds when the system accepts bytes to send, or when the connection has failed.
    func writable() -> Future<Void> {
        ready { DispatchSource.makeWriteSource(fileDescriptor: $0, queue: .global()) }
    }

    private func ready(_ makeSource: @escaping @Sendable (Int32) -> any DispatchSourceProtocol) -> Future<Void> {
        Future(on: .immediate) { completion in
            let source = makeSource(self.descriptor)
            source.setEventHandler { completion(.success(())) }
            // The socket must not be closed before the source has been cancelled completely.
            source.setCancelHandler { withExtendedLifetime(self) {} }
            source.resume()
            return Disposer { source.cancel() }
        }
    }
}
