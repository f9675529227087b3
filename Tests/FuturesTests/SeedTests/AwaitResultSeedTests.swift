// await-result's document, block by block. Documentation/Seeds.md lists the lines that had to change, and why.

import Dispatch
import Foundation
import Futures
import Testing

/// A stand-in for the document's CloudKit coordinator: functions of the same shape that need no cloud.
private struct CloudKitCoordinator: Sendable {
    enum ZoneExistsError: Error { case failed }
    enum DiscoverUserError: Error { case failed }
    enum ShareError: Error { case failed }

    enum ZoneState: Sendable {
        case found(Int)
        case notFound
    }

    /// The request that fails, of three; and whether the requests find what they look for.
    var failing = 0
    var isZoneThere = true
    var isUserThere = true
    var answers = true

    func zoneExists(zoneName: String, completion: @escaping @Sendable (Result<ZoneState, ZoneExistsError>) -> Void) {
        reply(completion, failing == 1 ? .failure(.failed) : .success(isZoneThere ? .found(1) : .notFound))
    }

    func discoverUserWithEmail(completion: @escaping @Sendable (Result<String?, DiscoverUserError>) -> Void) {
        reply(completion, failing == 2 ? .failure(.failed) : .success(isUserThere ? "user" : nil))
    }

    func share(
        group: Group, with users: [String], in zone: Int,
        completion: @escaping @Sendable (Result<String, ShareError>) -> Void
    ) {
        reply(completion, failing == 3 ? .failure(.failed) : .success("\(group.name) with \(users) in \(zone)"))
    }

    private func reply<T>(_ completion: @escaping @Sendable (T) -> Void, _ result: T) where T: Sendable {
        otherThreads.async {
            if answers { completion(result) } else { unanswered.add { completion(result) } }
        }
    }
}

/// Completions that are retained and never called.
private let unanswered = Log<@Sendable () -> Void>()

private struct Group: Sendable {
    let name: String
}

private struct Sharing: Sendable {
    var cloudKitCoordinator = CloudKitCoordinator()
    let sharedGroupsZoneIdentifier = "groups"
    let printed = Log<String>()

    // The problem.
    func attemptToShareInCallbacks(named name: String) {
        cloudKitCoordinator.zoneExists(zoneName: sharedGroupsZoneIdentifier) { zoneExistsResult in
            switch zoneExistsResult {
            case .success(let zoneExists):
                guard case .found(let zoneID) = zoneExists else {
                    self.printed.add("Zone not found")
                    return
                }
                self.cloudKitCoordinator.discoverUserWithEmail { discoverUserResult in
                    switch discoverUserResult {
                    case .success(let possibleIdentity):
                        guard let identity = possibleIdentity else {
                            self.printed.add("User not found")
                            return
                        }
                        let group = Group(name: name)
                        self.cloudKitCoordinator.share(group: group, with: [identity], in: zoneID) { shareResult in
                            switch shareResult {
                            case .success:
                                self.printed.add("Shared!")
                            case .failure:
                                self.printed.add("Failed sharing record")
                            }
                        }
                    case .failure:
                        self.printed.add("Failed discovering user")
                    }
                }
            case .failure:
                self.printed.add("Failed finding zone")
            }
        }
    }

    // The proposed solution.
    func attemptToShare(named name: String, timeout: Duration? = nil) {
        do {
            // 1a. Can we find an existing sharing zone?
            let didFindZoneIDResult = try awaitResult(timeout: timeout) { awaitCompletion in
                self.cloudKitCoordinator.zoneExists(zoneName: self.sharedGroupsZoneIdentifier) { awaitCompletion($0) }
            }

            // 1.b Did we find it?
            guard case .found(let foundZoneID) = didFindZoneIDResult else {
                printed.add("Zone not found")
                return
            }

            // 2a. Can we find the user they want to share it with?
            let possibleUserIdentity = try awaitResult { awaitCompletion in
                self.cloudKitCoordinator.discoverUserWithEmail { awaitCompletion($0) }
            }

            // 2b. Did we find it?
            guard let userIdentity = possibleUserIdentity else {
                printed.add("User not found")
                return
            }

            // 3. We have a group, the participants, and the zone. Can we share?
            let group = Group(name: name)
            let invites = try awaitResult { awaitCompletion in
                self.cloudKitCoordinator.share(group: group, with: [userIdentity], in: foundZoneID) {
                    awaitCompletion($0)
                }
            }
            #expect(invites == "friends with [\"user\"] in 1")

            // We successfuly invited people.
            printed.add("Shared!")
        } catch is CloudKitCoordinator.ZoneExistsError {
            printed.add("Failed finding zone")
        } catch is CloudKitCoordinator.DiscoverUserError {
            printed.add("Failed discovering user")
        } catch is CloudKitCoordinator.ShareError {
            printed.add("Failed sharing record")
        } catch is AwaitError {
            printed.add("Operation timed out")
        } catch {
            printed.add("Unknown error occurred")
        }
    }
}

@Suite struct AwaitResultSeedTests {
    private static let cases: [(CloudKitCoordinator, String)] = [
        (.init(), "Shared!"), (.init(failing: 1), "Failed finding zone"),
        (.init(failing: 2), "Failed discovering user"),
        (.init(failing: 3), "Failed sharing record"), (.init(isZoneThere: false), "Zone not found"),
        (.init(isUserThere: false), "User not found"),
    ]

    @Test(arguments: cases)
    fileprivate func `the synchronous form gives the same result as the callbacks`(
        _ coordinator: CloudKitCoordinator, _ said: String
    ) {
        let sharing = Sharing(cloudKitCoordinator: coordinator)
        sharing.attemptToShare(named: "friends")
        #expect(sharing.printed.entries == [said])
        sharing.attemptToShareInCallbacks(named: "friends")
        while sharing.printed.count < 2 { sched_yield() }
        #expect(sharing.printed.entries == [said, said])
    }

    @Test func `an operation that does not complete times out`() {
        let sharing = Sharing(cloudKitCoordinator: .init(answers: false))
        sharing.attemptToShare(named: "friends", timeout: .milliseconds(1))
        #expect(sharing.printed.entries == ["Operation timed out"])
    }

    @Test func `how to use it, from the longest way to the shortest`() throws {
        let api = CloudKitCoordinator()
        let original = try awaitResult(asyncExecutionBlock: { asyncExecutionCompletedBlock in
            api.zoneExists(zoneName: "name") { zoneExistsResult in
                asyncExecutionCompletedBlock(zoneExistsResult)
            }
        })
        let withoutLabel = try awaitResult { asyncExecutionCompletedBlock in
            api.zoneExists(zoneName: "name") { zoneExistsResult in
                asyncExecutionCompletedBlock(zoneExistsResult)
            }
        }
        let withoutName = try awaitResult { asyncExecutionCompletedBlock in
            api.zoneExists(zoneName: "name") {
                asyncExecutionCompletedBlock($0)
            }
        }
        let zoneState = try awaitResult { finished in
            api.zoneExists(zoneName: "name") { finished($0) }
        }
        for state in [original, withoutLabel, withoutName, zoneState] {
            guard case .found(1) = state else {
                Issue.record("the zone is there")
                continue
            }
        }
    }
}
