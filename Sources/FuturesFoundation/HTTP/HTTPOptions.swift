// HTTPOptions: the limits of a request, and which replies are errors.

import Futures

/// The limits of an HTTP request, and which replies are errors.
///
///     var options = HTTPOptions()
///     options.maxBodySize = 1 << 20
///     options.timeout = .seconds(30)
///     let client = HTTPClient(options: options)
///
/// A limit that is reached fails the future with an `HTTPError`, and cancels the request. Time limits start when the
/// request is sent, not while it waits because of `maxConnectionsPerHost` of the client.
public struct HTTPOptions: Sendable {
    /// The maximum size of a reply's body in bytes, after decompression; 64 MiB by default.
    ///
    /// A body is counted as it arrives. A longer one is not received to its end, so a small reply that decompresses to
    /// gigabytes costs no more than this. Memory use can be twice the limit for a moment. A negative size is like 0.
    public var maxBodySize = 64 << 20

    /// The maximum size of the body that `HTTPError.status` keeps; 64 KiB by default. The rest is not received. A
    /// negative size is like 0.
    public var maxErrorBodySize = 64 << 10

    /// The time limit between two signs of life of the server; 60 seconds by default, nil for none.
    ///
    /// It starts again whenever a part of the body was sent or received. A server that sends a byte now and then is
    /// stopped by `timeout` only.
    public var idleTimeout: Duration? = .seconds(60)

    /// The time limit of the whole request, from when it is sent to the end of the body; nil, the default, for none.
    public var timeout: Duration?

    /// Whether redirects are followed; true by default. If not, a redirect is a reply like any other.
    public var followsRedirects = true

    /// Returns whether a status is a success; by default, one from 200 to 299. Other replies fail with
    /// `HTTPError.status`. It must not block: on Linux, all sessions of the process could wait for it.
    public var acceptsStatus: @Sendable (Int) -> Bool = { (200..<300).contains($0) }

    /// The scheduler whose clock times the limits. By default `.immediate`: real time, on a thread that no callback can
    /// block.
    public var scheduler = Scheduler.immediate

    /// Creates options with the default values.
    public init() {}
}
