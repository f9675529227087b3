// What diagnosing says of requests, programs and files.

import Dispatch
import Foundation
import Futures
import FuturesDiagnostics
import FuturesFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct DiagnosingTests {
    @Test func `a request, a program, a file and a group are described by their line and what they are`() async {
        await #expect(processExitsWith: .success) { try descriptions() }
    }

    @Test func `an error of a request, a program or a file that nothing observes is reported with their line`() async {
        await #expect(processExitsWith: .success) { await events() }
    }
}

// Functions of their own, because all lines of the closure of an exit test are that of the test.
private func descriptions() throws {
    Diagnostics.isOn = true
    let server = try HostileServer { _, client in client.waitForClose() }
    let (folder, client, group) = (try TemporaryFolder(), HTTPClient(), DispatchGroup())
    let (pipe, body) = (folder.at("pipe"), try folder.write("text", to: "body"))
    #expect(mkfifo(pipe.path, 0o600) == 0)
    group.enter()
    let line = #line + 2
    let texts = [
        texts(of: client.data(from: server.address)),
        texts(of: client.upload(for: URLRequest(url: server.address), fromFile: body)),
        texts(of: Command("sleep", ["1"]).run()),
        texts(of: Files.read(pipe)),
        texts(of: group.future()),
        texts(of: NotificationCenter.default.future(of: .init("posted"))),
    ]
    #expect(!Diagnostics.report().contains("FuturesFoundation/"), "\(Diagnostics.report())")
    let what = [
        "data \"GET \(server.address)\"", "upload \"GET \(server.address)\"", "\"sleep\"", "read \"\(pipe.path)\"",
        "DispatchGroup.future", "NotificationCenter.future \"posted\"",
    ]
    for (index, (texts, what)) in zip(texts, what).enumerated() {
        #expect(names(what, at: line + index, texts.chain), "\(texts)")
        #expect(!texts.description.contains("Futures/") && !texts.description.contains("FuturesFoundation/"))
    }
    group.leave()
}

private func events() async {
    Diagnostics.isOn = true
    let events = Locked<[String]>([])
    Diagnostics.onEvent { event in events.withLock { $0.append("\(event)") } }
    let line = #line + 1
    _ = HTTPClient().data(from: URL(string: "ftp://nowhere/")!)
    _ = Command("/nowhere/program").run()
    _ = Files.read(URL(fileURLWithPath: "/nowhere/file"))
    _ = Files.replace(URL(fileURLWithPath: "/nowhere/new"), with: Data())
    #expect(await comesTrue { events.withLock { $0.count } == 4 })
    let what = [
        "data \"GET ftp://nowhere/\"", "\"/nowhere/program\"", "read \"/nowhere/file\"", "replace \"/nowhere/new\"",
    ]
    for (index, what) in what.enumerated() {
        #expect(events.withLock { $0 }.contains { names(what, at: line + index, $0) }, "\(events.withLock { $0 })")
    }
}

private func texts<T>(of future: Future<T>) -> (chain: String, description: String) { (future.chain, "\(future)") }

/// Whether a text about a future of this file says what it is and where it was made, and names no line of the library.
private func names(_ what: String, at line: Int, _ text: String) -> Bool {
    text.contains(what) && text.contains("FuturesFoundationTests/DiagnosingTests.swift:\(line)")
        && !text.contains("Futures/") && !text.contains("FuturesFoundation/")
}
