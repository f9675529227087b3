// Claims: which results may be released early, and reads of released ones.

import Synchronization
import Testing

@testable import Futures

@Suite struct ClaimTests {
    private struct Page: Sendable {
        let object: Census.Counted
        var words = [1, 2, 3]
        var still = "here"
    }

    private func page(_ census: Census) -> Future<Page> {
        Future(on: .immediate, immediate: { Page(object: census.make()) })
    }

    @Test func `a result with a claim on it is not released`() {
        let census = Census()
        let node = page(census).node
        node.claimed { #expect(!node.release(claims: 0)) }
        #expect(census.alive == 1)
        #expect(node.release(claims: 0))
        #expect(census.alive == 0)
        #expect(!node.release(claims: 0))
    }

    @Test func `each listener has a claim until its job has ended`() {
        let promise = Promise<Void>()
        let census = Census()
        let future = promise.future.map(on: .immediate) { Page(object: census.make()) }
        let claims = Shared<[UInt]>([])
        let look: @Sendable () -> Void = { [node = future.node] in
            claims.change { $0.append(Word.claims(node.word.load(ordering: .relaxed))) }
        }
        let kept = [future.onValue(on: .immediate) { _ in look() }, future.onValue(on: .immediate) { _ in look() }]
        promise.succeed()
        // After its job, a step passes its claim to its own word while its source has other references.
        #expect(claims.value == [2, 2])
        #expect(Word.claims(future.node.word.load(ordering: .relaxed)) == 2)
        withExtendedLifetime(kept) {}
        future.onValue(on: .immediate) { _ in look() }
        #expect(claims.value.last == 3)
    }

    @Test func `a listener that is removed ends its claim`() {
        let census = Census()
        let future = page(census)
        for _ in 0..<3 { future.onValue(on: .immediate) { _ in } }
        #expect(Word.claims(future.node.word.load(ordering: .relaxed)) == 0)
        let promise = Promise<Void>()
        let later = promise.future.map(on: .immediate) { Page(object: census.make()) }
        for _ in 0..<3 { later.onValue(on: .immediate) { _ in } }
        let left = later.onValue(on: .immediate) { _ in }
        left.cancel()
        promise.succeed()
        #expect(Word.claims(later.node.word.load(ordering: .relaxed)) == 0)
    }

    @Test func `a promise's value and a trivial value take no claims`() {
        let plain = Future<Void>().map(on: .immediate) { 1 }.map(on: .immediate) { $0 }
        #expect(plain.node.word.load(ordering: .relaxed) == Word.success)
        let promise = Promise<[Int]>()
        promise.future.onValue(on: .immediate) { _ in }
        promise.succeed([1])
        #expect(promise.future.node.word.load(ordering: .relaxed) == Word.success)
    }

    #if DEBUG
        @Test func `reading a released result traps`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let future = Future(on: .immediate, immediate: { ["a", "b"] })
                _ = future.node.release(claims: 0)
                print(future.result as Any)
            }
            expectTrap(result, saying: "A result was read that was released.")
        }
    #endif

    @Test func `a thread that waits does not release what the chain has left`() {
        let census = Census()
        var source: Future<Census.Counted>? = Future(on: .immediate, immediate: { census.make() })
        let end = source!.map(on: .immediate) { _ in 1 }
        source = nil
        // The variable referred to the value's future when the value was passed on.
        #expect(census.alive == 1)
        // What `wait` does, if the future completes meanwhile. A deinit may wait for what its thread does next.
        _ = Node.listener(to: end.node) { _ in }
        #expect(census.alive == 1)
        #expect(end.map(on: .immediate) { $0 }.success == 1)
        #expect(census.alive == 0)
    }
}

extension Node {
    /// Releases the result if there are no claims on it but the caller's, whose number is `claims`. Returns whether it
    /// did.
    func release(claims: UInt) -> Bool {
        guard var result = takeResult(claims: claims) else { return false }
        result.release()
        return true
    }
}
