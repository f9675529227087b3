// Calls: what scenarios ask of the explorer.

import Explorer
import Futures

/// Runs the blocks that were submitted to dispatch queues, and those that they submit.
func runBlocks() { (explorer as? Baton)?.runBlocks() }

/// The time of the explorer, in seconds.
func exploredTime() -> Double { (explorer?.time ?? .zero) / .seconds(1) }

/// Lets ten seconds pass.
func letTimePass() { (explorer as? Baton)?.letTimePass() }

/// A place where the explorer may run another thread, in the closures of scenarios.
func pause() { explorer?.reach(.askUnique) }

/// Blocks this thread, as user code does that waits with a semaphore of its own.
func block(until isDone: () -> Bool) { while !isDone() { explorer?.reach(.wait) } }
