// Target: an address that links refer to, and the links that wait for its visit.

/// The links to one address. The address is visited once, however many links refer to it.
///
/// Links wait here rather than with a future each: a large site has millions of links to thousands of addresses.
@MainActor
final class Target {
    /// The links of one page to this address, with the same fragment.
    struct Mention {
        let fragment: String?
        let places: [Place]
    }

    private enum State {
        /// The visit has not ended. Next is visited.
        case visiting(waiting: [Mention])
        case visited(Result<Visit, any Error>)
    }

    /// A path, or an address on the web.
    let address: String
    private var state = State.visiting(waiting: [])
    private let check: (Target, Result<Visit, any Error>, Mention) -> Void

    /// Creates the target of links. `check` is called for each link once the visit has ended.
    init(_ address: String, check: @escaping (Target, Result<Visit, any Error>, Mention) -> Void) {
        self.address = address
        self.check = check
    }

    func add(_ mention: Mention) {
        switch state {
        case .visiting(var waiting):
            state = .visiting(waiting: [])
            waiting.append(mention)
            state = .visiting(waiting: waiting)
        case .visited(let result): check(self, result, mention)
        }
    }

    func complete(_ result: Result<Visit, any Error>) {
        guard case .visiting(let waiting) = state else { return }
        state = .visited(result)
        for mention in waiting { check(self, result, mention) }
    }
}
