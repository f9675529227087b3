// Connection: reads one client's requests and answers each in turn.

import Dispatch

/// A client's connection, as a state machine.
// Safe to share: it is accessed on the server's serial queue only. The dispatch sources and the answers call it there.
final class Connection: @unchecked Sendable {
    /// Answers a request by calling `answer` on the server's queue, immediately or later.
    typealias Handler = (HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) -> Void

    private enum State {
        /// Waits for a request. Next is answering or closed.
        case reading
        /// Has a request whose response has not been sent completely. Next is reading, ending or closed.
        case answering
        /// Has sent its last response, and waits for the client to close the connection. Next is closed.
        case ending
        /// The final state.
        case closed
    }

    private let socket: Socket
    private let queue: DispatchQueue
    private let handler: Handler
    private let reader: any DispatchSourceRead
    private var writer: (any DispatchSourceWrite)?
    private var state = State.reading
    private var input: Bytes = []
    private var output: Bytes = []
    private var hasReadAll = false
    private var endsAfterOutput = false

    init(_ socket: Socket, queue: DispatchQueue, handler: @escaping Handler) {
        self.socket = socket
        self.queue = queue
        self.handler = handler
        reader = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        // The event handler retains the connection until the source is cancelled. The cancel handler retains the socket
        // until the cancellation has completed.
        reader.setEventHandler { self.receive() }
        reader.setCancelHandler { _ = socket }
        reader.resume()
    }

    /// Closes the connection immediately.
    func close() {
        state = .closed
        reader.cancel()
        writer?.cancel()
        writer = nil
    }
}

extension Connection {
    /// The maximum number of unprocessed bytes. No valid request is larger.
    private static let inputLimit = 2 * 1024 * 1024

    private func receive() {
        switch socket.receive() {
        case .nothingYet: return
        case .bytes(let bytes):
            if state != .ending { input += bytes }
            if input.count > Self.inputLimit { return close() }
        case .end:
            // The client may have sent all of its requests, and still wait for the responses.
            hasReadAll = true
            reader.cancel()
        }
        serve()
    }

    /// Handles the next request if it has arrived completely.
    private func serve() {
        guard state == .reading else {
            if state == .ending, hasReadAll { close() }
            return
        }
        switch HTTPRequest.read(input) {
        case .incomplete:
            if hasReadAll { end() }
        case .refused(let status):
            state = .answering
            send(HTTPResponse(status: status), withBody: true, keepsAlive: false)
        case .request(let request, let length):
            input.removeFirst(length)
            state = .answering
            handler(request) { response in
                self.send(response, withBody: request.method != "HEAD", keepsAlive: request.keepsAlive)
            }
        }
    }

    private func send(_ response: HTTPResponse, withBody: Bool, keepsAlive: Bool) {
        guard state == .answering else { return }
        output += response.serialized(withBody: withBody, keepsAlive: keepsAlive)
        endsAfterOutput = !keepsAlive
        flush()
    }

    /// Sends as many bytes as the system accepts, and the rest when it accepts more.
    private func flush() {
        guard state == .answering else { return }
        guard let count = socket.send(output) else { return close() }
        output.removeFirst(count)
        guard output.isEmpty else { return waitToSend() }
        writer?.cancel()
        writer = nil
        if endsAfterOutput { return end() }
        state = .reading
        // Enqueued, so that a client with a thousand requests in one packet does not starve the others.
        if !input.isEmpty || hasReadAll { queue.async { self.serve() } }
    }

    private func waitToSend() {
        guard writer == nil else { return }
        let (writer, socket) = (
            DispatchSource.makeWriteSource(fileDescriptor: socket.descriptor, queue: queue), socket
        )
        writer.setEventHandler { self.flush() }
        writer.setCancelHandler { _ = socket }
        writer.resume()
        self.writer = writer
    }

    /// Stops sending, but keeps reading for a second: closing a socket with unread bytes may discard the response
    /// before the client has read it.
    private func end() {
        guard !hasReadAll else { return close() }
        state = .ending
        input = []
        socket.endSending()
        queue.asyncAfter(deadline: .now() + 1) { self.close() }
    }
}
