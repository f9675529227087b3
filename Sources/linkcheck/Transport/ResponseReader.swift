// ResponseReader: reads one response from the bytes of a connection, however they are divided.

/// The state of reading a response. It never holds more than the allowed size, and takes linear time.
struct ResponseReader {
    private enum State {
        /// Next is fields.
        case statusLine
        /// Next is statusLine, after an informational response, or any of the following.
        case fields
        /// Next is complete.
        case body(left: Int)
        /// The body ends with the connection. Next is complete.
        case untilClose
        /// Next is chunk or trailer.
        case chunkSize
        /// Next is chunkEnd.
        case chunk(left: Int)
        /// Next is chunkSize.
        case chunkEnd
        /// Next is complete.
        case trailer
        /// The final state.
        case complete(isReusable: Bool)
    }

    private let request: Request
    private var state = State.statusLine
    private var line = Bytes()
    /// The number of bytes of lines so far, which have no other limit.
    private var lineBytes = 0
    private var wireBytes = 0
    private(set) var head: ResponseHead?
    private(set) var body = Bytes()

    private static let maxLineBytes = 256 * 1024

    init(_ request: Request) {
        self.request = request
    }

    var isComplete: Bool { if case .complete = state { true } else { false } }

    /// Whether another response may follow on the same connection.
    var isReusable: Bool { if case .complete(let isReusable) = state { isReusable } else { false } }

    /// Whether no byte has arrived.
    var isUntouched: Bool { wireBytes == 0 }

    /// Adds received bytes. After the response is complete, there must be none.
    mutating func add(_ bytes: Bytes) throws {
        wireBytes += bytes.count
        var index = 0
        while index < bytes.count {
            switch state {
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailer:
                let end = bytes.skip(from: index) { $0 != "\n" }
                line += bytes[index..<end]
                lineBytes += end - index + 1
                index = end + 1
                // Chunks of one byte each are a bad idea, but not an attack.
                let limit = isInBody ? request.maxBody : 0
                guard lineBytes <= Self.maxLineBytes + limit, line.count <= Self.maxLineBytes else {
                    throw FetchError.headTooLarge
                }
                if end < bytes.count { try readLine(isLast: index == bytes.count) }
            case .body(let left):
                let count = min(left, bytes.count - index)
                try append(bytes[index..<index + count])
                index += count
                let isReusable = index == bytes.count && head?.keepsAlive == true
                state = count == left ? .complete(isReusable: isReusable) : .body(left: left - count)
            case .chunk(let left):
                let count = min(left, bytes.count - index)
                try append(bytes[index..<index + count])
                index += count
                state = count == left ? .chunkEnd : .chunk(left: left - count)
            case .untilClose:
                try append(bytes[index...])
                index = bytes.count
            case .complete:
                // Bytes that no request has asked for.
                return state = .complete(isReusable: false)
            }
        }
        stopIfUnwanted()
    }

    /// Adds the end of the connection.
    mutating func end() throws {
        switch state {
        case .complete: return
        case .untilClose: state = .complete(isReusable: false)
        default: throw FetchError.unreachable("the connection was lost", isTransient: true)
        }
    }
}

extension ResponseReader {
    private var isWanted: Bool {
        guard let head, (200..<300).contains(head.status) else { return false }
        switch request.body {
        case .none: return false
        case .document: return Response.kind(of: head, at: request.address) != nil
        case .any: return true
        }
    }

    private var isInBody: Bool {
        switch state {
        case .chunkSize, .chunkEnd: true
        default: false
        }
    }

    private mutating func readLine(isLast: Bool) throws {
        if line.last == "\r" { line.removeLast() }
        let text = line.text(line.indices)
        line.removeAll(keepingCapacity: true)
        switch state {
        case .statusLine:
            // Some servers send an empty line after the last response.
            if text.isEmpty { return }
            guard let head = ResponseHead(statusLine: text) else {
                throw FetchError.malformed("it does not start as HTTP does")
            }
            self.head = head
            state = .fields
        case .fields where text.isEmpty: try endHead(isLast: isLast)
        case .fields: head?.add(line: text)
        case .chunkSize:
            let digits = text.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
            guard !digits.isEmpty, digits.utf8.allSatisfy(\.isHexDigit) else {
                throw FetchError.malformed("the size of a chunk is not a number")
            }
            guard let size = Int(digits, radix: 16) else { throw FetchError.tooLarge(request.maxBody) }
            state = size == 0 ? .trailer : .chunk(left: size)
        case .chunkEnd:
            guard text.isEmpty else { throw FetchError.malformed("a chunk is longer than it says") }
            state = .chunkSize
        case .trailer where text.isEmpty: state = .complete(isReusable: isLast && head?.keepsAlive == true)
        default: return
        }
    }

    private mutating func endHead(isLast: Bool) throws {
        guard let head else { return }
        if head.status < 200 {
            self.head = nil
            return state = .statusLine
        }
        switch try head.length(of: request.method) {
        case .none, .bytes(0): state = .complete(isReusable: isLast && head.keepsAlive)
        case .bytes(let count):
            guard !isWanted || count <= request.maxBody else { throw FetchError.tooLarge(request.maxBody) }
            state = .body(left: count)
        case .chunked: state = .chunkSize
        case .untilClose: state = .untilClose
        }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws {
        guard isWanted else { return }
        guard body.count + bytes.count <= request.maxBody else { throw FetchError.tooLarge(request.maxBody) }
        body += bytes
    }

    /// Completes a response whose body is not wanted, unless its end has arrived together with its head. Waiting for it
    /// might take forever.
    private mutating func stopIfUnwanted() {
        switch state {
        case .statusLine, .fields, .complete: return
        default: if !isWanted { state = .complete(isReusable: false) }
        }
    }
}
