// Exploration points: where an explorer of thread interleavings takes over. It is no part of a normal build (EXPLORING).

internal import Dispatch

#if !EXPLORING
    /// The points outside of atomics and locks.
    @usableFromInline
    package enum ExplorationPoint {
        case askUnique, wait
    }
#endif

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
        noteAccess(access, of: UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(object())))!)
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
