// Pairs: every two actions on a future, a combination or a queue, at the same time.

import Testing

let pairedSubjects = futureSubjects + timedSubjects + followingSubjects + combinedSubjects + queueSubjects

private let scenarios = pairedSubjects.flatMap(\.pairs)

extension ExplorationTests {
    @Suite struct Pairs {
        @Test(arguments: names(of: scenarios))
        func `two actions at the same time have an outcome that they have one after the other`(_ name: String) {
            check(name, scenarios, limit: 400)
        }
    }
}
