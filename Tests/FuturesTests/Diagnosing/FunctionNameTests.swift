// Names of functions: what diagnosing calls operators and the functions of users.

import Futures
import Testing

@testable import FuturesDiagnostics

@Suite struct FunctionNameTests {
    @Test(arguments: [
        ("App.fetch(id: Swift.Int) -> Futures.Future<Swift.String>", "App", "fetch"),
        (
            "closure #1 @Sendable (Swift.Int) throws -> () in App.Fetcher.refresh(every: Swift.Int) -> ()", "App",
            "Fetcher.refresh"
        ),
        ("static App.Fetcher.shared.getter : App.Fetcher", "App", "Fetcher.shared.getter"),
        ("(extension in App):Futures.Future.decoded(as: A1.Type) -> Futures.Future<A1>", "App", "Future.decoded"),
        (
            "(extension in Futures):Futures.FutureQueue< where A == ()>.enqueue<A where A1: Swift.Sendable>(on: Futures.Scheduler) -> ()",
            "Futures", "FutureQueue.enqueue"
        ),
        (
            "generic specialization <Swift.Int, Swift.Int> of closure #1 @Sendable (Futures.Node, Futures.NodeEvent) -> () in Futures.Future.map<A where A1: Swift.Sendable>(on: Futures.Scheduler) -> Futures.Future<A1>",
            "Futures", "Future.map"
        ),
        ("partial apply forwarder for closure #1 () -> () in App.main() -> ()", "App", "main"),
        ("App.Fetcher.(look in _5F3A)(at: Swift.Int) -> ()", "App", "Fetcher.look"),
        ("(1) await resume partial function for static App.Main.main() async -> ()", "App", "Main.main"),
        ("main", "", "main"),
        // Top-level code.
        ("closure #1 @Sendable () -> () in App", "", "main"),
        ("closure #1 @Sendable () -> () in App.refresh@Sendable (Swift.Int) -> ()", "App", "refresh"),
    ])
    func `a function is named after the outermost one, without types and parameters`(
        _ demangled: String, _ module: String, _ name: String
    ) {
        let function = FunctionName(demangled: demangled)
        #expect(function.module == module && function.name == name)
    }

    @Test func `a call site is the last operator before the first function of the user's`() {
        func function(_ module: String, _ name: String) -> FunctionName { FunctionName(module: module, name: name) }
        let inside = [
            function("Futures", "Node.attach"), nil, function("Futures", "Future.map"), function("Swift", "Array.map"),
        ]
        let site = CallSite(functions: inside + [function("App", "Fetcher.refresh"), function("App", "main")])
        #expect(site == CallSite(operation: "map", caller: "App.Fetcher.refresh"))
        // A timer or a task of the library: no code of the user's has called it.
        #expect(CallSite(functions: inside) == CallSite())
    }
}
