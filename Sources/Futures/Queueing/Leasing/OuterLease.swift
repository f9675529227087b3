// OuterLease: the right to a turn that other processes or machines do not have at the same time.

/// The right to use something exclusively that other processes or machines use, too, for a time.
///
/// A provider grants it, see ``OuterLeaseProvider``. A queue that has one takes a lease for each turn.
public struct OuterLease: Sendable {
    /// What the lease is for.
    public let name: String

    /// A number that is greater than those of all earlier leases of this name.
    ///
    /// Pass it to what the operation changes, which has to refuse a smaller number than the greatest that it has seen.
    /// So the holder of a lease that it has lost, and does not know it, destroys nothing.
    /// - SeeAlso: Martin Kleppmann, "How to do distributed locking", 2016 (fencing tokens).
    public let token: UInt64

    /// The time after which the lease ends unless it is renewed; nil if the provider ends it only with the process.
    public let duration: Duration?

    /// What the provider has for the lease, such as a connection or an open file; nil if it needs nothing.
    public let holder: (any AnyObject & Sendable)?

    /// Creates a lease. For providers.
    ///
    /// - Parameters:
    ///   - name: What the lease is for.
    ///   - token: A number that is greater than those of all earlier leases of this name.
    ///   - duration: The time after which it ends unless it is renewed. It counts from when the future of `acquire` completes, or
    ///     `renew` is called: take off what the answer may take on its way. Nil if the lease does not end by time.
    ///   - holder: What the lease needs to exist. If the request is cancelled while its last closure runs, the lease gets lost
    ///     unseen: so the `deinit` of this object should give back what `release` would have.
    public init(name: String, token: UInt64, duration: Duration? = nil, holder: (any AnyObject & Sendable)? = nil) {
        self.name = name
        self.token = token
        self.duration = duration
        self.holder = holder
    }
}

extension OuterLease: Hashable {
    /// Returns whether both are the same lease: one was perhaps extended.
    ///
    /// - Parameters:
    ///   - lease: A lease.
    ///   - other: Another one.
    /// - Returns: Whether the names and the tokens are equal.
    public static func == (lease: OuterLease, other: OuterLease) -> Bool {
        lease.token == other.token && lease.name == other.name
    }

    /// Hashes the name and the token.
    ///
    /// - Parameter hasher: What they are added to.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(token)
    }
}

/// Grants leases that exclude other processes or machines: an adapter to an engine that does so, such as a database.
///
///     let accounts = KeyedFutureQueue<Int>(leasesFrom: FileLeases(in: folder), named: { "account \($0)" })
///
/// Of a name, at most one lease exists at a time. The methods are called on the scheduler of a queue that is meant for
/// them, and may block there. A lease may be released before the future of `renew` has completed, but not before
/// `renew` has returned.
public protocol OuterLeaseProvider: Sendable {
    /// Returns a future of the lease of a name, which waits until no other owner has it.
    ///
    /// When its operation is cancelled, the future is cancelled, unless it has a listener of the provider's own. A
    /// lease that it yields nevertheless is released. What a cancelled future cannot yield any more must not stay: see
    /// ``OuterLease/holder``, or add such a listener.
    ///
    /// - Parameter name: What the lease is for.
    func acquire(_ name: String) -> Future<OuterLease>

    /// Extends a lease that has a duration. Called each third of that while an operation has the lease.
    ///
    /// If the future fails with ``QueueError/leaseLost(name:)``, the lease has ended. After any other error it is
    /// renewed again, as long as its duration has not passed.
    ///
    /// - Parameter lease: The lease that an operation has.
    /// - Returns: A future of the extended lease.
    func renew(_ lease: OuterLease) -> Future<OuterLease>

    /// Gives a lease back, which may have been lost.
    ///
    /// - Parameter lease: The lease that an operation had.
    /// - Returns: A future that has to complete: the next turn starts behind it, even if it fails.
    func release(_ lease: OuterLease) -> Future<Void>
}

extension OuterLeaseProvider {
    /// Returns the lease itself: for providers whose leases do not end by time.
    ///
    /// - Parameter lease: The lease that an operation has.
    public func renew(_ lease: OuterLease) -> Future<OuterLease> { Future(lease) }
}
