// Requests and responses: what is read does not depend on how the bytes are divided.

import Foundation

/// What a response is, whether it arrives in one piece or in many.
private struct Outcome: Equatable {
    var status: Int?
    var fields: [String: String]?
    var body = Bytes()
    var isComplete = false
    var error: String?
}

/// The first bytes are the request's kind and the size of the pieces.
func fuzzResponses(_ input: FuzzInput) {
    var input = input
    let method = input.choice(of: [Request.Method.get, .head])
    let body = input.choice(of: [Request.Body.document, .any, .none])
    let size = 1 + input.choice() % 7
    let request = Request(method: method, address: webPage, body: body, maxBody: 1000)
    let bytes = input.bytes
    let whole = outcome(bytes, in: max(bytes.count, 1), of: request)
    require(whole.body.count <= request.maxBody, "the body is larger than the limit")
    // A body that is not wanted ends with the piece in which it starts.
    guard whole.error == nil, body != .none else { return }
    let pieces = outcome(bytes, in: size, of: request)
    require(
        pieces.error != nil || !pieces.isComplete || !whole.isComplete || pieces == whole,
        "pieces of \(size) bytes: \(pieces), and not \(whole)")
}

private func outcome(_ bytes: Bytes, in size: Int, of request: Request) -> Outcome {
    var reader = ResponseReader(request)
    var outcome = Outcome()
    do {
        var index = 0
        while index < bytes.count, !reader.isComplete {
            try reader.add(Bytes(bytes[index..<min(index + size, bytes.count)]))
            index += size
        }
        if !reader.isComplete { try reader.end() }
        _ = try? Response(reader, to: request).document
    } catch { outcome.error = "\(error)" }
    outcome.status = reader.head?.status
    outcome.fields = reader.head?.fields
    outcome.body = reader.body
    outcome.isComplete = reader.isComplete
    return outcome
}

func fuzzRequests(_ input: FuzzInput) {
    let bytes = input.bytes
    let whole = HTTPRequest.read(bytes)
    guard case .request(_, let length) = whole else { return }
    require(length <= bytes.count, "a request of \(length) bytes of \(bytes.count)")
    require(HTTPRequest.read(Bytes(bytes[..<length])) == whole, "the bytes after a request change it")
    // A part of a request is never a request.
    for end in [0, length / 2, length - 1] {
        require(HTTPRequest.read(Bytes(bytes[..<end])) == .incomplete, "\(end) bytes of \(length) are a request")
    }
}
