// Connection: reads one client's requests and answers each in turn.

import Dispatch

/// A client's connection.
///
/// UncheckedSendable, because it is a plain state machine that lives on its server's serial queue: there the sources call it,
/// there the answers come, and nobody else sees it.
final class Connection: @unchecked Sendable {
    /// Answers a request, now or later, on the server's queue.
    typealias Handler = (HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) -> Void

    private enum State {
        /// Waits for a request. Next is answering, ending or closed.
        case reading
        /// Has a request that is not answered yet. Next is reading, ending or closed.
        case answering
        /// Has said its last word, and lets the client finish. Next is closed.
        case ending
        /// Done.
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
        // The handlers keep the connection until they are cancelled, and the socket until that is over.
        reader.setEventHandler { self.receive() }
        reader.setCancelHandler { _ = socket }
        reader.resume()
    }

    /// Ends the connection at once.
    func close() {
        state = .closed
        reader.cancel()
        writer?.cancel()
        writer = nil
    }
}

extension Connection {
    /// More than this at once is nobody's request.
    private static let inputLimit = 2 * 1024 * 1024

    private func receive() {
        switch socket.receive() {
        case .nothingYet: return
        case .bytes(let bytes):
            if state != .ending { input += bytes }
            if input.count > Self.inputLimit { return close() }
        case .end:
            // The client may have sent all its requests and still wants the answers.
            hasReadAll = true
            reader.cancel()
        }
        serve()
    }

    /// Takes the next request if it is there.
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

    /// Sends what the system takes, and the rest when it takes more.
    private func flush() {
        guard state == .answering else { return }
        guard let count = socket.send(output) else { return close() }
        output.removeFirst(count)
        guard output.isEmpty else { return waitToSend() }
        writer?.cancel()
        writer = nil
        if endsAfterOutput { return end() }
        state = .reading
        // In turn, so that a client with a thousand requests in one packet leaves others their time.
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

    /// Says goodbye, then reads on for a moment: closing on unread bytes would take the answer back from the client.
    private func end() {
        guard !hasReadAll else { return close() }
        state = .ending
        input = []
        socket.endSending()
        queue.asyncAfter(deadline: .now() + 1) { self.close() }
    }
}
