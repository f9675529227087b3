// Limits: how many requests are sent, how long they may take, and which responses are good.

extension Fetcher {
    struct Limits: Equatable, Sendable {
        var perHost = 4
        var inFlight = 16
        /// The maximum number of requests to one host in a second, or nil for no limit.
        var rate: Int?
        /// The time limit for each wait: for a connection, for the response, and for more of it.
        var timeout = Duration.seconds(10)
        /// The time limit for a whole response.
        var totalTimeout = Duration.seconds(60)
        var retries = 3
        var firstDelay = Duration.milliseconds(500)
        /// The longest delay before a retry, whether the server requests it or the retry policy computes it.
        var maxPause = Duration.seconds(60)
        var redirects = 10
        /// The maximum size of a page in bytes, also after it is decompressed.
        var maxBody = 10_000_000
        /// The statuses of good responses. Redirects that are not among them are followed.
        var accepted = [200...299]

        func accepts(_ status: Int) -> Bool { accepted.contains { $0.contains(status) } }
    }
}
