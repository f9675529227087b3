// HTTPConnection: sends a request on a socket and receives the response, as a chain of futures.

import Futures

/// A connection to a server, or to a gateway process.
@MainActor
final class HTTPConnection {
    private let socket: Socket
    private let readable: Readiness
    private let writable: Readiness
    /// Whether requests have their whole address, as for proxies.
    private let isProxied: Bool
    init(_ socket: Socket, isProxied: Bool = false) {
        self.socket = socket
        readable = Readiness(socket, .read)
        writable = Readiness(socket, .write)
        self.isProxied = isProxied
    }

    /// Returns a future of this connection when it is established.
    func connected(within limit: Duration) -> Future<HTTPConnection> {
        writable.wait()
            .fail(with: FetchError.timedOut(limit), after: limit)
            .map {
                if let error = self.socket.connectionError { throw error }
                return self
            }
    }

    /// Whether the server has closed the connection, or has sent what no request has asked for.
    var isStale: Bool {
        if case .nothingYet = socket.receive() { false } else { true }
    }

    /// Sends a request, and returns a future of the response and of whether the connection can be used again.
    ///
    /// The future fails with `NoResponse` if the connection ends before the first byte. Cancelling it stops reading;
    /// the socket is closed when the connection is released.
    ///
    /// - Parameter idleTimeout: The time limit for each wait for more bytes.
    func exchange(_ request: Request, idleTimeout: Duration) -> Future<(Response, isReusable: Bool)> {
        let reading = Reading(request)
        return send(request.serialized(isProxied: isProxied), idleTimeout: idleTimeout)
            .flatMap { self.receive(reading, idleTimeout: idleTimeout) }
    }

    struct NoResponse: Error {}

    /// The response so far, shared by the steps of the recursion.
    private final class Reading {
        let request: Request
        var reader: ResponseReader

        init(_ request: Request) {
            self.request = request
            reader = ResponseReader(request)
        }
    }
}

extension HTTPConnection {
    private func send(_ bytes: Bytes, idleTimeout: Duration) -> Future<Void> {
        guard let count = socket.send(bytes) else { return Future(error: NoResponse()) }
        guard count < bytes.count else { return Future() }
        return writable.wait()
            .fail(with: FetchError.timedOut(idleTimeout), after: idleTimeout)
            .flatMap { self.send(Bytes(bytes.dropFirst(count)), idleTimeout: idleTimeout) }
    }

    /// Receives all bytes that have arrived, and then waits for more: a recursion, which takes no memory however long
    /// it is.
    private func receive(
        _ reading: Reading, idleTimeout: Duration
    ) -> Future<(Response, isReusable: Bool)> {
        do {
            while !reading.reader.isComplete {
                switch socket.receive() {
                case .bytes(let bytes): try reading.reader.add(bytes)
                case .end where reading.reader.isUntouched: throw NoResponse()
                case .end: try reading.reader.end()
                case .nothingYet:
                    return readable.wait()
                        .fail(with: FetchError.timedOut(idleTimeout), after: idleTimeout)
                        .flatMap { self.receive(reading, idleTimeout: idleTimeout) }
                }
            }
            return Future((try Response(reading.reader, to: reading.request), reading.reader.isReusable))
        } catch {
            return Future(error: error)
        }
    }
}
