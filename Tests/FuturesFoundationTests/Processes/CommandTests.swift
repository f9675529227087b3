// Programs, their outputs and their ends. Contract/Foundation.md

import Foundation
import Futures
import Testing

@testable import FuturesFoundation

private func shell(_ script: String, _ change: (inout Command) -> Void = { _ in }) -> Command {
    var command = Command("/bin/sh", ["-c", script])
    change(&command)
    return command
}

/// Kills the program whose number the file `id` of a folder has.
private func killProgram(in folder: TemporaryFolder) throws {
    let text = try #require(folder.text("id"))
    kill(try #require(pid_t(text.trimmingCharacters(in: .newlines))), SIGKILL)
}

@Suite struct CommandTests {
    @Test func `a program has its arguments, its environment, its directory and its input`() async throws {
        let folder = try TemporaryFolder()
        let command = shell(#"echo "$0" "$1" "$NAME" "$(pwd -P)" "$(cat)""#) {
            $0.arguments += ["a b", "$c"]
            $0.environment = ["NAME": "Ada", "PATH": "/bin:/usr/bin"]
            $0.directory = folder.url
            $0.input = Data("read".utf8)
        }
        let place = folder.url.resolvingSymlinksInPath().path
        #expect(try await command.run().value.text == "a b $c Ada \(place) read\n")
    }

    @Test func `large outputs on both pipes and a large input do not block each other`() async throws {
        let input = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let command = shell("head -c 5000000 /dev/zero >&2; cat; head -c 5000000 /dev/zero >&2") { $0.input = input }
        let output = try await command.run().value
        #expect(output.standardOutput == input && output.standardError.count == 10_000_000)
    }

    @Test func `another status than 0 is an error that keeps the outputs, unless it is accepted`() async throws {
        let error = await shell("echo out; echo why >&2; exit 3").run().failure()
        let output = CommandOutput(
            status: .exited(3), standardOutput: Data("out\n".utf8), standardError: Data("why\n".utf8))
        #expect(error as? CommandError == .failed(executable: "/bin/sh", output))
        #expect(error?.localizedDescription == "/bin/sh has exited with 3: why")
        #expect(try await shell("exit 3") { $0.acceptsStatus = { _ in true } }.run().value.status == .exited(3))
    }

    @Test func `a program that does not exist or cannot be run is an error`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("text", to: "file")
        for (name, code) in [("/nowhere/at-all", ENOENT), ("no-such", ENOENT), (file.path, EACCES), ("", EINVAL)] {
            #expect(await Command(name).run().failure() as? CommandError == .notLaunched(executable: name, code: code))
        }
        let error = await Command("echo", ["a\0b"]).run().failure()
        #expect(error as? CommandError == .notLaunched(executable: "echo", code: EINVAL))
    }

    @Test func `a directory that cannot be entered is an error of the directory`() async throws {
        let folder = try TemporaryFolder()
        for (place, code) in [(folder.at("none"), ENOENT), (try folder.write("text", to: "file"), ENOTDIR)] {
            let error = await shell("true") { $0.directory = place }.run().failure()
            #expect(error as? FileError == .system(call: "enter", path: place.path, code: code))
        }
    }

    @Test func `more output than the limit terminates the program`() async throws {
        let error = await shell("while :; do echo yes; done") { $0.maxOutputSize = 100_000 }.run().failure()
        #expect(error as? CommandError == .outputTooLarge(executable: "/bin/sh", maxOutputSize: 100_000))
    }

    @Test func `a program that leaves another one running completes when it has exited itself`() async throws {
        let folder = try TemporaryFolder()
        let command = shell("sleep 3600 >/dev/null 2>&1 & echo $! > id; echo done") { $0.directory = folder.url }
        #expect(try await command.run().value.text == "done\n")
        try killProgram(in: folder)
    }

    @Test func `an output that is left open by another program is read for the grace period`() async throws {
        let folder = try TemporaryFolder()
        let command = shell("sleep 3600 & echo $! > id; echo done") {
            $0.directory = folder.url
            $0.gracePeriod = .milliseconds(50)
        }
        #expect(try await command.run().value.text == "done\n")
        try killProgram(in: folder)
    }

    @Test func `at most 64 programs run at the same time, and others wait until they are cancelled or start`() async {
        // In a process of its own, because other tests run programs.
        await #expect(processExitsWith: .success) {
            let (gate, folder) = (Promise<Void>(), try TemporaryFolder())
            let running = (0..<64).map { _ in Command.running.on(.immediate).enqueue { gate.future } }
            let waiting = (0..<10_000).map { number in shell("echo > \(folder.url.path)/\(number)").run() }
            #expect(Command.running.waitingCount == 10_000)
            for future in waiting.dropFirst() { #expect(future.cancel()) }
            gate.succeed()
            _ = try await waiting[0].value
            for future in running { try await future.value }
            #expect(folder.names == ["0"])
        }
    }
}
