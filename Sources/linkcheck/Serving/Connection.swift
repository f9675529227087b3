// Connection: reads one client's requests and answers each in turn: a recursion of futures.

import Futures

/// A client's connection to the server.
final class Connection: Sendable {
    typealias Handler = @Sendable (HTTPRequest) -> Future<HTTPResponse>

    private let socket: Socket
    private let readable: Readiness
    private let writable: Readiness
    private let scheduler: Scheduler
    private let handler: Handler

    /// The maximum number of unprocessed bytes. No valid request is larger.
    private static let inputLimit = 2 * 1024 * 1024

    /// Creates a connection whose requests are answered by `handler`, on `scheduler`.
    init(_ socket: Socket, on scheduler: Scheduler, handler: @escaping Handler) {
        self.socket = socket
        readable = Readiness(socket, .read)
        writable = Readiness(socket, .write)
        self.scheduler = scheduler
        self.handler = handler
    }

    /// Answers requests until the client or an answer ends the connection. A future that is pending retains it.
    func serve() {
        serve([]).onResult(on: scheduler) { _ in self.end() }
    }
}

extension Connection {
    /// Answers the requests that start with `input`.
    private func serve(_ input: Bytes) -> Future<Void> {
        switch HTTPRequest.read(input) {
        case .incomplete:
            guard input.count <= Self.inputLimit else { return Future() }
            return receive().flatMap(on: scheduler) { more in
                more.isEmpty ? Future() : self.serve(input + more)
            }
        case .refused(let status):
            return send(HTTPResponse(status: status).serialized(withBody: true, keepsAlive: false))
        case .request(let request, let length):
            return handler(request)
                .flatMap(on: scheduler) { response in
                    self.send(
                        response.serialized(withBody: request.method != "HEAD", keepsAlive: request.keepsAlive))
                }
                .flatMap(on: scheduler) {
                    request.keepsAlive ? self.serve(Bytes(input.dropFirst(length))) : Future()
                }
        }
    }

    /// Returns a future of the next bytes, or of none at the end of the connection.
    private func receive() -> Future<Bytes> {
        switch socket.receive() {
        case .bytes(let bytes): Future(bytes)
        case .end: Future([])
        case .nothingYet: readable.wait().flatMap(on: scheduler) { self.receive() }
        }
    }

    /// Sends as many bytes as the system accepts, and the rest when it accepts more.
    private func send(_ bytes: Bytes) -> Future<Void> {
        guard let count = socket.send(bytes) else { return Future(error: SocketError("send")) }
        if count == bytes.count { return Future() }
        return writable.wait().flatMap(on: scheduler) { self.send(Bytes(bytes.dropFirst(count))) }
    }

    /// Stops sending, but keeps reading for a second: closing a socket with unread bytes may discard the response
    /// before the client has read it.
    private func end() {
        socket.endSending()
        drain().fail(with: CancellationError(), after: .seconds(1)).onResult(on: scheduler) { _ in
            withExtendedLifetime(self) {}
        }
    }

    private func drain() -> Future<Void> {
        receive().flatMap(on: scheduler) { $0.isEmpty ? Future() : self.drain() }
    }
}
