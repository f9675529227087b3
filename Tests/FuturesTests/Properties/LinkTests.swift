// Links: every order of complete, link, attach, cancel and detach over two and three futures.

import Futures
import Testing

@Suite struct LinkTests {
    @Test func `every order over two futures gives the same result as without links`() {
        // X waits for C.
        let setting = Setting(futures: 3, links: [(gate: 1, to: 0)])
        let events: [Event] = [
            .link(0), .complete, .attach(0), .attach(2), .attach(2), .cancel(0), .cancel(2), .detach(0),
            .detach(1),
            .chain(0), .chain(2),
        ]
        check(setting, subsetsOf: events, including: [.link(0)], size: isDebug ? 5 : 7)
    }

    @Test func `every order over three chained futures gives the same result as without links`() {
        // Z waits for X, and X for C.
        let setting = Setting(futures: 5, links: [(gate: 1, to: 0), (gate: 2, to: 3)])
        let events: [Event] = [
            .link(0), .link(1), .complete, .attach(0), .attach(3), .attach(4), .cancel(0), .cancel(3),
            .cancel(4),
            .detach(0), .detach(1), .attach(3), .drop(3), .fail, .chain(0), .chain(3),
        ]
        check(setting, subsetsOf: events, including: [.link(0), .link(1)], size: 6)
    }

    @Test func `every order of two flatMaps that wait for one future gives the same result as without links`() {
        // Y and Z wait for X, and X for C.
        let setting = Setting(futures: 7, links: [(gate: 1, to: 0), (gate: 2, to: 4), (gate: 3, to: 4)])
        let events: [Event] = [
            .link(0), .link(1), .link(2), .complete, .attach(0), .attach(4), .attach(5), .cancel(4),
            .cancel(5),
            .cancel(6), .detach(0), .detach(1), .drop(4),
            .chain(0), .chain(4),
        ]
        check(setting, subsetsOf: events, including: [.link(0), .link(1), .link(2)], size: 6)
    }

    @Test func `every order over four chained futures with a branch gives the same result as without links`() {
        // Z waits for Y, Y for X, X for C.
        let setting = Setting(futures: 7, links: [(gate: 1, to: 0), (gate: 2, to: 4), (gate: 3, to: 5)])
        let events: [Event] = [
            .link(0), .link(1), .link(2), .complete, .attach(0), .attach(4), .attach(5), .cancel(6),
            .detach(0),
            .cancel(4), .cancel(5), .chain(0), .chain(4),
        ]
        check(setting, subsetsOf: events, including: [.link(0), .link(1), .link(2)], size: 6)
    }
}

/// The futures of the programs: promises (C and the gates) first, then flatMaps of the gates.
private struct Setting {
    let prelude: [Step]
    /// The index of the last future, which has completed.
    let completed: Int

    /// Creates a setting in which each link is a flatMap of the promise `gate` that returns the future `to`.
    init(futures: Int, links: [(gate: Int, to: Int)]) {
        prelude =
            Array(repeating: .promise, count: futures - links.count)
            + links.map { .flatMap($0.gate, .values, Body(), returning: $0.to) }
            + [.join([], cancelNonCompleted: true)]
        completed = futures
    }
}

private enum Event: Hashable {
    /// Completes C.
    case complete
    case fail
    /// Gives the flatMap of this number its inner future.
    case link(Int)
    case attach(Int)
    /// Attaches a flatMap that returns a completed future.
    case chain(Int)
    /// Cancels the listener that was attached as the one of this number.
    case detach(Int)
    case cancel(Int)
    case drop(Int)
}

/// Checks all orders of all sets of `size` events that contain the required ones; in debug, of a sample of the sets.
private func check(
    _ setting: Setting, subsetsOf events: [Event], including required: [Event], size: Int,
    location: Testing.SourceLocation = #_sourceLocation
) {
    let others = events.filter { !required.contains($0) }
    var count = 0
    var complaints: [String] = []
    let subsets = subsets(of: others, size: size - required.count)
    let stride = isDebug ? max(1, subsets.count / 24) : 1
    for index in Swift.stride(from: Int.random(in: 0..<stride), to: subsets.count, by: stride) {
        let subset = subsets[index]
        forEachOrder(of: required + subset) { order in
            guard complaints.count < 3, let program = program(setting, order) else { return }
            count += 1
            if let complaint = Explanation.complaint(about: program) { complaints.append(complaint) }
        }
    }
    for complaint in complaints {
        Issue.record("\(complaint)", sourceLocation: location)
    }
    #expect(count > 1000, sourceLocation: location)
}

/// Returns the events as steps, with the listeners' indices filled in; nil if a listener is detached before it was
/// attached.
private func program(_ setting: Setting, _ order: [Event]) -> [Step]? {
    var attached = 0
    var steps = setting.prelude
    for event in order {
        switch event {
        case .complete: steps.append(.complete(promise: 0, .value(7)))
        case .fail: steps.append(.complete(promise: 0, .error(9)))
        case .link(let number): steps.append(.complete(promise: number + 1, .value(number)))
        case .attach(let future):
            steps.append(.observe(future, .results, Body()))
            attached += 1
        case .chain(let future):
            steps.append(.flatMap(future, .values, Body(), returning: setting.completed))
            attached += 1
        case .detach(let number):
            guard number < attached else { return nil }
            steps.append(.cancel(setting.completed + 1 + number))
        case .cancel(let future): steps.append(.cancel(future))
        case .drop(let future):
            // No later event refers to it.
            steps.append(.dropFuture(future))
        }
    }
    return steps
}

private func subsets<T>(of elements: [T], size: Int) -> [[T]] {
    guard size > 0 else { return [[]] }
    guard let first = elements.first, elements.count >= size else { return [] }
    let rest = Array(elements.dropFirst())
    return subsets(of: rest, size: size - 1).map { [first] + $0 } + subsets(of: rest, size: size)
}

private func forEachOrder<T: Hashable>(of elements: [T], _ body: ([T]) -> Void) {
    func extend(_ chosen: [T], _ rest: [T]) {
        if rest.isEmpty { return body(chosen) }
        var seen: Set<T> = []
        for (index, element) in rest.enumerated() where seen.insert(element).inserted {
            var remaining = rest
            remaining.remove(at: index)
            extend(chosen + [element], remaining)
        }
    }
    extend([], elements)
}
