// HTTPClient: connects to servers, and keeps connections for the next requests.

import Foundation
import Futures

/// Sends requests. It uses sockets for `http`, and processes that run URLSession for `https`.
///
/// On Linux, URLSession crashes on some responses, such as chunked ones with trailers. A server must not be able to end
/// the whole check, so each request for which there is no other way has a process of its own.
@MainActor
final class HTTPClient {
    private struct Route: Hashable {
        let origin: Origin?
        let usesGateway: Bool
    }

    private let limits: Fetcher.Limits
    private let gateway: Gateway
    private let hosts = FutureCache<Origin, [SocketAddress]>(maxCount: 10_000)
    /// The connections that wait for the next request, in the order in which they were used.
    private var idle: [(route: Route, connection: HTTPConnection)] = []

    private static let maxIdleCount = 64

    init(limits: Fetcher.Limits, gateway: Gateway = Gateway()) {
        self.limits = limits
        self.gateway = gateway
    }

    /// Sends a request and returns a future of the response, which may be a redirect or an error of the server. It
    /// fails with a `FetchError` if there is none. Cancelling it closes the connection.
    func send(_ request: Request) -> Future<Response> {
        guard let origin = Origin(request.address) else {
            return Future(error: FetchError.unreachable("the address has no host", isTransient: false))
        }
        let usesGateway = gateway.isNeeded(for: request.address)
        let route = Route(origin: usesGateway ? nil : origin, usesGateway: usesGateway)
        return attempt(request, to: origin, route)
            .fail(with: FetchError.tookTooLong(limits.totalTimeout), after: limits.totalTimeout)
            .mapError { error in
                guard error is HTTPConnection.NoResponse else { return error }
                return usesGateway
                    ? FetchError.malformed("the system's HTTP client crashes on it")
                    : FetchError.unreachable("the connection was closed without a response", isTransient: true)
            }
    }
}

extension HTTPClient {
    /// Sends a request on an open connection if there is one. If that was closed meanwhile, uses a new one.
    private func attempt(_ request: Request, to origin: Origin, _ route: Route) -> Future<Response> {
        guard let connection = takeIdle(route) else {
            return connect(to: origin, route).flatMap { self.exchange(request, on: $0, route) }
        }
        return exchange(request, on: connection, route).flatMapError { error in
            guard error is HTTPConnection.NoResponse else { throw error }
            return self.attempt(request, to: origin, route)
        }
    }

    private func exchange(_ request: Request, on connection: HTTPConnection, _ route: Route) -> Future<Response> {
        // A gateway has the first byte when it has all of them.
        let idleTimeout = route.usesGateway ? limits.totalTimeout : limits.timeout
        return connection.exchange(request, idleTimeout: idleTimeout).map { response, isReusable in
            if isReusable { self.keep(connection, route) }
            return response
        }
    }

    private func takeIdle(_ route: Route) -> HTTPConnection? {
        while let index = idle.lastIndex(where: { $0.route == route }) {
            let connection = idle.remove(at: index).connection
            if !connection.isStale { return connection }
        }
        return nil
    }

    private func keep(_ connection: HTTPConnection, _ route: Route) {
        if idle.count == Self.maxIdleCount { idle.removeFirst() }
        idle.append((route, connection))
    }

    private func connect(to origin: Origin, _ route: Route) -> Future<HTTPConnection> {
        if route.usesGateway {
            return Future { try self.gateway.start(idleTimeout: self.limits.timeout) }
        }
        return resolve(origin).flatMap { self.connect(to: $0[...]) }
    }

    private func resolve(_ origin: Origin) -> Future<[SocketAddress]> {
        hosts.future(for: origin) {
            Future(
                on: .background, immediate: { try SocketAddress.resolve(origin.host, port: origin.port) })
        }.fail(
            with: FetchError.unreachable("the name of the host is not resolved in time", isTransient: true),
            after: limits.timeout
        )
        .mapError { error in
            guard let error = error as? ResolutionError else { return error }
            return FetchError.unreachable("no such host", isTransient: error.isTransient)
        }
    }

    /// Connects to the first of the addresses that accepts the connection.
    private func connect(to addresses: ArraySlice<SocketAddress>) -> Future<HTTPConnection> {
        guard let address = addresses.first else {
            return Future(error: FetchError.unreachable("cannot connect to the host", isTransient: true))
        }
        // A host with several addresses may have a broken one, on which not all of the time should be spent.
        let limit = addresses.count > 1 ? min(limits.timeout, .seconds(3)) : limits.timeout
        return Future { HTTPConnection(try Socket.connecting(to: address)) }
            .flatMap { $0.connected(within: limit) }
            .flatMapError { error in
                if addresses.count == 1, error is FetchError { throw error }
                return self.connect(to: addresses.dropFirst())
            }
    }
}
