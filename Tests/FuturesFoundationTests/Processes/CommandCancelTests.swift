// Programs that are terminated. Contract/Foundation.md

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct CommandCancelTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func shell(_ script: String, _ change: (inout Command) -> Void = { _ in }) -> Command {
        var command = Command("/bin/sh", ["-c", script])
        command.directory = folder.url
        change(&command)
        return command
    }

    /// Returns the number that a program has written to a file, and waits for it.
    private func number(in file: String) async -> pid_t? {
        _ = await comesTrue { folder.text(file)?.hasSuffix("\n") == true }
        return folder.text(file).flatMap { pid_t($0.trimmingCharacters(in: .newlines)) }
    }

    /// Returns whether a program has ended and was reaped.
    private func isGone(_ number: pid_t) -> Bool { kill(number, 0) != 0 && errno == ESRCH }

    @Test func `cancelling a program terminates it`() async throws {
        let future = shell("echo $$ > id; exec sleep 3600") { $0.gracePeriod = .seconds(3600) }.run()
        let number = try #require(await number(in: "id"))
        #expect(future.cancel())
        #expect(await comesTrue { isGone(number) })
    }

    @Test func `a cancelled program that ignores its termination is killed after the grace period`() async throws {
        let script = "trap '' TERM; echo $$ > id; while :; do sleep 0.02; done"
        let future = shell(script) { $0.gracePeriod = .milliseconds(100) }.run()
        let number = try #require(await number(in: "id"))
        let start = ContinuousClock.now
        #expect(future.cancel())
        #expect(await comesTrue { isGone(number) })
        #expect(ContinuousClock.now - start >= .milliseconds(100))
    }

    @Test func `a process group is terminated as a whole`() async throws {
        let future = shell("sh -c 'echo $$ > inner; exec sleep 3600' & echo $$ > id; wait") {
            $0.createsProcessGroup = true
        }.run()
        let numbers = [try #require(await number(in: "id")), try #require(await number(in: "inner"))]
        future.cancel()
        // The inner one is reaped by the system, which may be late or, in a container, never: it is a zombie then.
        #expect(await comesTrue { isGone(numbers[0]) })
        #expect(await comesTrue { isGone(numbers[1]) || isZombie(numbers[1]) })
    }

    private func isZombie(_ number: pid_t) -> Bool {
        let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
        return state?.contains(") Z") == true
    }

    @Test func `a program that takes too long is terminated, and the error has what it has written`() async throws {
        func end(after limit: Duration) async throws -> String {
            let error = await shell("echo started; exec sleep 3600") { $0.timeout = limit }.run().failure()
            guard case .timedOut("/bin/sh", limit, let output)? = error as? CommandError else { throw error ?? Oops() }
            #expect(output.status == .signaled(SIGTERM))
            return output.text
        }
        var (limit, text) = (Duration.milliseconds(50), "")
        // On a busy machine, a program may start too late to write.
        while text.isEmpty, limit < .seconds(600) {
            limit *= 2
            text = try await end(after: limit)
        }
        #expect(text == "started\n")
    }

    @Test func `a program and its pipes are released when it has ended`() async {
        // In a process of its own, because other tests open files too.
        await #expect(processExitsWith: .success) {
            _ = try await Command("true").run().value
            let before = descriptorCount()
            for _ in 0..<20 { _ = try await Command("true").run().value }
            for _ in 0..<20 {
                let future = Command("sleep", ["3600"]).run()
                future.cancel()
            }
            // Dispatch and tasks open one or two for their timers. A leak would be of 20 at least.
            exit(await comesTrue { descriptorCount() <= before + 5 } ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

private func descriptorCount() -> Int {
    let folder = FileManager.default.fileExists(atPath: "/proc/self/fd") ? "/proc/self/fd" : "/dev/fd"
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
}
