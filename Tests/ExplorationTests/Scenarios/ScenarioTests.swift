// Scenarios: threads that share futures, in a few words each.

import Testing

private let scenarios =
    releasingScenarios + queueingScenarios + operationScenarios + schedulingScenarios + followingScenarios
    + disposingScenarios + combiningScenarios

extension ExplorationTests {
    @Suite struct Scenarios {
        @Test(arguments: names(of: scenarios))
        func `every order of the threads is right`(_ name: String) { check(name, scenarios) }
    }
}
