// Triples: three actions at the same time, where the third one may come between the parts of the others.

import Testing

private func named(_ name: String) -> Subject {
    guard let subject = pairedSubjects.first(where: { $0.name == name }) else {
        fatalError("There is no subject \(name).")
    }
    return subject
}

private let ofFutures =
    [
        named("a promise").triple("complete", "fail", "attach"),
        named("a promise").triple("complete", "attach", "attach"),
        named("a promise").triple("complete", "attach", "release"),
        named("a step").triple("complete", "attach", "cancel"),
        named("a step").triple("complete", "cancel", "cancel another one"),
        named("a step").triple("complete", "release", "cancel another one"),
        named("a step").triple("abandon", "attach", "cancel"),
        named("an operation").triple("complete", "cancel", "attach"),
        named("an operation").triple("abandon", "cancel", "release"),
        named("a repetition").triple("fail", "complete the repetition", "cancel"),
        named("a repetition").triple("fail", "attach", "cancel"),
        named("a repetition").triple("fail", "complete the repetition", "release"),
    ]
    + [
        ("complete", "complete the inner one", "cancel"), ("complete", "complete the inner one", "attach"),
        ("complete", "cancel the inner one", "cancel"), ("complete", "attach", "cancel"),
        ("complete", "complete the inner one", "release"), ("complete", "abandon the inner one", "attach"),
        ("complete", "visit the inner one", "cancel"), ("complete", "visit", "cancel"),
    ].map { named("a flatMap").triple($0, $1, $2) }
    + [
        ("complete", "attach", "cancel"), ("complete", "cancel", "cancel the inner one"),
        ("complete", "release", "release the inner one"), ("abandon", "attach", "cancel"),
    ].map { named("a flatMap that waits for its inner future").triple($0, $1, $2) }
    + [
        ("complete the middle one", "complete the inner one", "cancel"),
        ("complete the middle one", "complete the inner one", "attach to a link"),
        ("complete the middle one", "cancel", "attach to a link"),
        ("complete the middle one", "attach", "release a link"),
        ("complete the middle one", "cancel a link", "attach"),
        ("complete the middle one", "release", "release a link"),
        ("complete the middle one", "fail the inner one", "release a link"),
        ("complete the middle one", "visit a link", "cancel"),
        ("complete the middle one", "visit a link", "attach"),
    ].map { named("a chain that hands over").triple($0, $1, $2) }
    + [
        ("join the chains", "visit a late link", "cancel"), ("join the chains", "visit an early link", "cancel"),
        ("join the chains", "visit a late link", "cancel the other end"),
        ("join the chains", "visit a late link", "visit an early link"),
        ("join the chains", "visit a late link", "attach"),
        ("join the chains", "attach to a late link", "release a late link"),
        ("join the chains", "complete", "visit a late link"),
        ("join the chains", "cancel", "cancel the other end"),
        ("join the chains", "visit", "release a late link"),
    ].map { named("two chains of links that become one").triple($0, $1, $2) }

private let ofCombinations = combinedSubjects.flatMap { subject in
    [
        subject.triple("complete", "complete the other one", "attach"),
        subject.triple("complete", "complete the other one", "release"),
        subject.triple("complete", "complete the other one", "read a child"),
        subject.triple("complete", "complete the other one", "cancel a child"),
        subject.triple("complete", "complete the other one", "cancel"),
        subject.triple("fail", "complete the other one", "cancel"),
        subject.triple("complete the other one", "cancel", "release a child"),
    ]
}

private let ofQueues = queueSubjects.flatMap { subject in
    [
        subject.triple("complete", "cancel", "enqueue"),
        subject.triple("complete", "cancel a waiting one", "enqueue"),
        subject.triple("complete", "cancel", "cancel a waiting one"),
        subject.triple("complete", "release a waiting one", "cancel"),
    ]
        + (subject.has("abort")
            ? [
                subject.triple("complete", "abort", "enqueue"),
                subject.triple("cancel", "abort", "cancel a waiting one"),
            ]
            : [])
        + (subject.has("close") ? [subject.triple("complete", "close", "cancel a waiting one")] : [])
}

private let scenarios = ofFutures + ofCombinations + ofQueues

extension ExplorationTests {
    @Suite struct Triples {
        @Test(arguments: names(of: scenarios))
        func `three actions at the same time have an outcome that they have one after the other`(_ name: String) {
            check(name, scenarios, limit: 400)
        }
    }
}
