// Exploration points: where an explorer of thread interleavings takes over. It is no part of a normal build (EXPLORING).

internal import Dispatch

/// Something that a thread is about to do. An explorer may run other threads first.
@usableFromInline
package enum ExplorationPoint {
    /// An access to an atomic. `acquires`, `releases`: what its ordering promises.
    case load(UnsafeRawPointer, acquires: Bool)
    case store(UnsafeRawPointer, releases: Bool)
    case update(UnsafeRawPointer, acquires: Bool, releases: Bool)
    /// A compare-and-exchange, which is an update, or a load if it fails.
    case exchange(UnsafeRawPointer)
    /// A fence that makes the stores behind it release.
    case fence
    /// The locks of `Locked`.
    case lock(UnsafeRawPointer)
    case unlock(UnsafeRawPointer)
    /// The thread asks whether a reference is the only one.
    case askUnique
    /// The thread waits until another thread makes progress.
    case wait
}

/// An access to memory that is not atomic: a result, or what a disposer calls.
@usableFromInline
package enum ExploredAccess {
    case read, write
    /// The memory is about to be reused: earlier accesses do not count.
    case forget
    /// The thread has the only reference to the object of this atomic: so it sees the last value.
    case own
}

/// Lets an explorer run other threads first. Does nothing in a normal build.
@inlinable @inline(__always)
func reachExplorationPoint(_ point: @autoclosure () -> ExplorationPoint) {
    #if EXPLORING
        reachPoint(point())
    #endif
}

/// Tells an explorer of an access to a result. Does nothing in a normal build.
@inlinable @inline(__always)
func noteExplored(_ access: ExploredAccess, of object: @autoclosure () -> AnyObject) {
    #if EXPLORING
        noteAccess(access, of: Unmanaged.passUnretained(object()).toOpaque())
    #endif
}

/// Counts the nodes that exist. Does nothing in a normal build.
@inlinable @inline(__always)
func countExploredNode(_ difference: Int) {
    #if EXPLORING
        countNode(difference)
    #endif
}

extension DispatchQueue {
    /// Submits a block: to the explorer, if there is one. `isSerial`: whether the queue runs one block at a time.
    @inline(__always)
    func submit(isSerial: Bool = true, _ block: @escaping @Sendable @convention(block) () -> Void) {
        #if EXPLORING
            if let explorer { return explorer.submit(block, to: ObjectIdentifier(self), isSerial: isSerial) }
        #endif
        async(execute: block)
    }
}
