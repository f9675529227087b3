// The program of the guide, with a hostile server.

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct DownloadProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let program = builtProgram("FoundationDownload")

    private func addresses(_ server: HostileServer, _ count: Int) -> [String] {
        // The names are two hosts for the program, and one server for us.
        (0..<count).map { number in
            let host = number.isMultiple(of: 2) ? "127.0.0.1" : "localhost"
            return "http://\(host):\(server.address.port!)/\(number)"
        }
    }

    @Test func `the program of the guide downloads what it can, and says what it cannot`() async throws {
        let attempts = Locked<[Int: Int]>([:])
        let server = try HostileServer { request, client in
            let number = Int(request.dropFirst(5).prefix { $0.isNumber }) ?? -1
            let isFirst = attempts.withLock { attempts in
                attempts[number, default: 0] += 1
                return attempts[number] == 1
            }
            switch (number % 10, isFirst) {
            case (1, true): client.reply(503, "later", fields: "Retry-After: 0\r\n")
            case (2, true): break
            case (3, _): client.reply(404, "no such page")
            case (4, _):
                client.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
                for byte in "\(number) page".prefix(4) where client.send("\(byte)") { usleep(2000) }
            case (5, _): client.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nendless")
            case (6, true): client.reply(302, "", fields: "Location: /\(number)?again\r\n")
            case (8, true): client.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            case (9, true): client.reply(429, "", fields: "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
            default: client.reply(200, "page \(number)")
            }
        }
        let addresses = addresses(server, 100)
        var command = Command(program, addresses)
        command.directory = folder.url
        command.timeout = .seconds(3600)
        let output = try await command.run().value
        let bad = addresses.indices.filter { [3, 5].contains($0 % 10) }
        let lines = output.text.split(separator: "\n").map(String.init)
        #expect(lines.count == bad.count)
        for (line, index) in zip(lines, bad) {
            #expect(line.hasPrefix("\(addresses[index]): The "), "\(line)")
        }
        let good = addresses.indices.filter { !bad.contains($0) }
        #expect(folder.names == good.map { "\($0)" }.sorted())
        for index in good where index % 10 != 4 { #expect(folder.text("\(index)") == "page \(index)") }
        let last = output.errorText.split(separator: "\n").last
        #expect(last?.hasPrefix("pages: 100/100, 100%, in 0:") == true, "\(output.errorText)")
        // Four of each of the two hosts; a connection counts until the server has closed it.
        #expect(server.peak <= 16)
    }

    @Test func `Ctrl-C ends the program of the guide immediately, and leaves no partial files`() async throws {
        let (arrived, folder) = (Locked(0), folder)
        let server = try HostileServer { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            let count = arrived.withLock { count in
                count += 1
                return count
            }
            // As many as the limits allow, and their temporary files. From the server's thread: a task of a test may
            // wait for its turn for longer than the program's time limit.
            if count == 8 {
                while folder.names.count < 9 { usleep(1000) }
                let id = folder.text("id").flatMap { pid_t($0.trimmingCharacters(in: .newlines)) }
                if let id { kill(id, SIGINT) }
            }
            client.waitForClose()
        }
        var command = Command("/bin/sh", ["-c", #"echo $$ > id; exec "$0" "$@""#, program] + addresses(server, 100))
        command.directory = folder.url
        command.acceptsStatus = { _ in true }
        command.timeout = .seconds(3600)
        let output = try await command.run().value
        #expect(output.status == .exited(130) && output.text.isEmpty)
        let last = output.errorText.split(separator: "\n").last
        #expect(last?.hasPrefix("pages: 0/100, 0%, in 0:") == true, "\(output.errorText)")
        #expect(folder.names == ["id"])
    }

    @Test func `the guide shows the program that is tested`() throws {
        let program = try expectShown("FoundationDownload/main.swift", in: "Foundation.md")
        let lines = program.split(separator: "\n").filter { !$0.hasPrefix("import ") }
        #expect(lines.count == 15)
    }
}
