// SiteServer: serves a few pages over HTTP/1.1 on the loopback interface.

import Foundation
import Futures
import Synchronization

/// A small web server on a free port. It stops when `stop()` is called or when it is released.
final class SiteServer: Sendable {
    /// A request and the status of its response.
    struct Exchange: Hashable, Sendable {
        let method: String
        let path: String
        let status: Int
    }

    fileprivate struct State {
        var pages: [String: Page]
        var exchanges: [Exchange] = []
        var failures: [String: Int] = [:]
        var inProgress = 0
        var peak = 0
        var isStopped = false
    }

    /// The address of the site, such as `http://127.0.0.1:49152/`.
    let address: URL

    private let scheduler = Scheduler(label: "site")
    private let socket: Socket
    private let clients: Readiness
    private let state: Mutex<State>

    /// Starts a server of pages by their paths. `pages` receives the server's address, so that pages can contain it.
    init(pages: (_ address: URL) -> [String: Page]) throws {
        socket = try Socket.bound()
        try socket.listen()
        clients = Readiness(socket, .read)
        address = URL(string: "http://127.0.0.1:\(socket.port)/")!
        state = Mutex(State(pages: pages(address)))
        accept()
    }

    /// Stops accepting clients. Open connections remain.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// All exchanges so far, in the order of the responses.
    var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    /// The maximum number of requests that were in progress at the same time.
    var peak: Int { state.withLock { $0.peak } }
}

extension SiteServer {
    /// Serves the clients that wait, and those that come.
    private func accept() {
        while let client = socket.accept() {
            if state.withLock({ $0.isStopped }) { return }
            Connection(client, on: scheduler) { [weak self] request in
                self?.answer(request) ?? Future(HTTPResponse(status: 503))
            }.serve()
        }
        clients.wait().onValue(on: scheduler) { [weak self] in self?.accept() }
    }

    private func answer(_ request: HTTPRequest) -> Future<HTTPResponse> {
        let (response, delay) = state.withLock { state in
            state.inProgress += 1
            state.peak = max(state.peak, state.inProgress)
            return state.response(to: request)
        }
        return Future(response).delay(by: delay).onValue(on: scheduler) { response in
            self.state.withLock { state in
                state.inProgress -= 1
                state.exchanges.append(
                    Exchange(method: request.method, path: request.path, status: response.status))
            }
        }
    }
}

extension SiteServer.State {
    mutating func response(to request: HTTPRequest) -> (HTTPResponse, delay: Duration) {
        guard let page = pages[request.path] else { return (HTTPResponse(status: 404), .zero) }
        let isHead = request.method == "HEAD"
        guard request.method == "GET" || (isHead && !page.refusesHead) else {
            var refusal = HTTPResponse(status: 405)
            refusal.fields.append(("Allow", page.refusesHead ? "GET" : "GET, HEAD"))
            return (refusal, .zero)
        }
        if failures[request.path, default: 0] < page.failures {
            failures[request.path, default: 0] += 1
            return (HTTPResponse(status: 503), .zero)
        }
        return (page.response, page.delay)
    }
}
