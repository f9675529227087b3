// UnreadResults: the results upstream of a chain that no code can ask for any more.

internal import Synchronization

/// A search for the results upstream of a node, or of a combination, that no code can ask for. It takes them out.
///
/// It reads only nodes that the chain retains through recipes, which do not change. And it retains none of them: a
/// reference would be one too many for the test whether there are others. So its user has to make sure that the chain
/// exists meanwhile.
struct UnreadResults {
    private var results: [Payload] = []
    /// Nodes to look at, and how many combinations lie between them and the start.
    private var nodes: [(Unmanaged<Node>, depth: Int)] = []
    /// How deeply a search follows combinations of combinations. Each of those has a search of its own: without a
    /// limit, they would take quadratic time together.
    private static var depthLimit: Int { 8 }
    /// Whether no value was left. One is left while other code can still ask for it.
    private(set) var isComplete = true

    /// Takes out the results upstream of `node`, which has settled and does not read its source any more.
    mutating func add(upstreamOf node: Node) {
        nodes.append((.passUnretained(node), 0))
        addAll()
    }

    /// Takes out the results upstream of a node that has settled, and does not read its source any more, without the
    /// node itself: `source` and `word` are the node's.
    mutating func add(_ source: Unmanaged<Node>, keptBy word: borrowing Atomic<UInt>) {
        addResult(of: source, keptBy: word)
        if source.isUnique { nodes.append((source, 0)) } else { addSource(ofShared: source, 0) }
        addAll()
    }

    /// Takes out the results of a combination's children, and what is upstream of those that have succeeded.
    mutating func add(childrenOf combination: Combination) {
        addChildren(of: combination, true, 0)
        addAll()
    }

    /// Takes out the results of a combination's children and, if `goesOn`, of what is upstream of those that have
    /// succeeded. (A child that has failed has looked upstream itself.)
    mutating func add(_ children: [Node], mayRelease: Bool, goesOn: Bool) {
        children.forEachUnretained { addChild($0, mayRelease, goesOn, 0) }
        addAll()
    }

    /// Takes out the result of a combination's child, and what is upstream of it, as `add(_:mayRelease:goesOn:)` does.
    mutating func add(_ child: Unmanaged<Node>, mayRelease: Bool, goesOn: Bool) {
        addChild(child, mayRelease, goesOn, 0)
        addAll()
    }

    /// Releases the results, which may call user code. Permits come first, because a `deinit` may wait for them.
    consuming func release() {
        for index in results.indices where results.count > 1 && results[index].type is any AwaitedByOthers.Type {
            results[index].release()
        }
        for var result in results { result.release() }
    }

    /// Releases the results, if there are any, where that may call and block user code.
    consuming func releaseElsewhere() {
        guard !results.isEmpty else { return }
        let taken = TakenResults(self)
        Scheduler.unblocked.async { taken.release() }
    }

    /// Releases the results that `take` takes out. First calls `later` if some are left: a `deinit` of the user's may
    /// wait for them.
    static func release(_ take: (inout UnreadResults) -> Void, ifIncomplete later: () -> Void = {}) {
        var results = UnreadResults()
        take(&results)
        if !results.isComplete { later() }
        results.release()
    }

    private mutating func addAll() {
        while let (node, depth) = nodes.popLast() {
            // Long chains need no memory for this.
            var current: Unmanaged<Node>? = node
            while let node = current {
                addSource(of: node, depth)
                current = next(above: node, depth)
            }
        }
    }

    /// The node's source, if no other code has a reference to it.
    private mutating func next(above node: Unmanaged<Node>, _ depth: Int) -> Unmanaged<Node>? {
        guard let source = node._withUnsafeGuaranteedRef({ $0.isSettled ? $0.source : nil }) else { return nil }
        if source.isUnique { return source }
        addSource(ofShared: source, depth)
        return nil
    }

    /// Takes out the result of the node's source, or the results of its children.
    private mutating func addSource(of node: Unmanaged<Node>, _ depth: Int) {
        node._withUnsafeGuaranteedRef { node in
            guard node.isSettled else { return }
            if node.traits.contains(.combines) {
                guard depth < Self.depthLimit, let combination = node.combinationOfRecipe else { return }
                addChildren(of: combination, true, depth + 1)
            } else if let source = node.source {
                addResult(of: source, keptBy: node.word)
            }
        }
    }

    /// Takes out the result of the source of a node that has settled and has this word.
    private mutating func addResult(of source: Unmanaged<Node>, keptBy word: borrowing Atomic<UInt>) {
        if Word.keepsSource(word) {
            take(Node.takeResult(of: source, keptBy: word), of: source)
        } else if source._withUnsafeGuaranteedRef(\.isTracked) {
            take(source.takeResultIfUnclaimed(), of: source)
        }
    }

    /// Takes out the result of the source of a node to which other code refers. It does not look further, or each of
    /// that node's many listeners would look at a whole chain, or at all children of a combination.
    private mutating func addSource(ofShared node: Unmanaged<Node>, _ depth: Int) {
        if !node._withUnsafeGuaranteedRef({ $0.traits.contains(.combines) }) { addSource(of: node, depth) }
        // A later attempt looks further upstream, once no other code refers to the node.
        if depth < Self.depthLimit, Self.mayBeLeft(upstreamOf: node) { isComplete = false }
    }

    /// Whether something may be left upstream of `node`, which has settled. Looks at a few nodes only.
    static func mayBeLeft(upstreamOf node: Node) -> Bool { mayBeLeft(upstreamOf: .passUnretained(node)) }

    private static func mayBeLeft(upstreamOf node: Unmanaged<Node>) -> Bool {
        var current = node
        for _ in 0..<8 {
            guard current._withUnsafeGuaranteedRef(\.isSettled) else { return false }
            if current._withUnsafeGuaranteedRef(\.mayHaveLeft) { return true }
            guard let source = current._withUnsafeGuaranteedRef({ $0.source }) else { return false }
            current = source
        }
        return true
    }

    private mutating func addChildren(of combination: Combination, _ goesOn: Bool, _ depth: Int) {
        guard !combination.isEmpty else { return }
        let mayRelease = combination.mayRelease
        combination.children.forEachUnretained { addChild($0, mayRelease, goesOn, depth) }
    }

    private mutating func addChild(_ child: Unmanaged<Node>, _ mayRelease: Bool, _ goesOn: Bool, _ depth: Int) {
        if child._withUnsafeGuaranteedRef(\.isTracked) { take(mayRelease ? child.takeResultOfChild() : nil, of: child) }
        guard goesOn, child._withUnsafeGuaranteedRef(\.isSuccess) else { return }
        if child.isUnique { nodes.append((child, depth)) } else { addSource(ofShared: child, depth) }
    }

    private mutating func take(_ result: Payload?, of node: Unmanaged<Node>) {
        if let result {
            results.append(result)
        } else if node._withUnsafeGuaranteedRef(\.holdsValue) {
            isComplete = false
        }
    }
}

/// A value whose release may end the waiting of others.
protocol AwaitedByOthers: AnyObject {}

extension Unmanaged where Instance == Node {
    /// Takes out the result, which may be released early, if no listener has a claim on it, and this reference is the
    /// only one.
    fileprivate func takeResultIfUnclaimed() -> Payload? {
        guard _withUnsafeGuaranteedRef({ Word.claims($0.word.load(ordering: .relaxed)) == 0 }), isUnique else {
            return nil
        }
        return _withUnsafeGuaranteedRef { $0.takeResult(claims: 0) }
    }

    /// Takes out the result of a combination's child if this reference, that of the combination's recipe, is the only
    /// one.
    fileprivate func takeResultOfChild() -> Payload? {
        // So that either this thread sees that a listener has ended its claim, or the listener sees that the parent has
        // settled (`endsListening`).
        _withUnsafeGuaranteedRef { $0.publishReads() }
        return isUnique ? _withUnsafeGuaranteedRef { $0.takeResult(claims: 0) } : nil
    }
}

extension Node {
    /// Whether this node, which has settled, or its source, may have left a result that can be released early.
    fileprivate var mayHaveLeft: Bool {
        if traits.contains(.combines) { return combinationOfRecipe.map { !$0.isEmpty } ?? false }
        guard let source, source._withUnsafeGuaranteedRef(\.holdsValue) else { return false }
        return keepsSource || source._withUnsafeGuaranteedRef(\.isTracked)
    }

    /// Whether this node may have a value. An error holds no permit that others wait for, so it
    /// is worth no later attempt: a repetition of failing runs would make one for each.
    fileprivate var holdsValue: Bool {
        let node = isLink ? target : self
        return !node.isSettled || node.isSuccess
    }
}

/// Results that another thread releases.
// Safe to share: one job accesses the results, which have been taken out of all nodes.
private final class TakenResults: @unchecked Sendable {
    private var results: UnreadResults?

    init(_ results: UnreadResults) { self.results = results }

    func release() { results.take()?.release() }
}
