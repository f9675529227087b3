// CallSite: which operator has made a future, and in which line or function of the user's.

import Futures

/// The operator that made a future, and the code that called it, by the symbols and the lines in the program's file.
struct CallSite: Hashable, Sendable {
    /// The function of the library that the user's code has called, as in `map`; nil if that is not known.
    var operation: String?
    /// The user's function, as in `App.Fetcher.refresh`; nil if that is not known.
    var caller: String?
    /// Where in that function, as in `at App/Fetch.swift:12`; nil if that is not known.
    var line: String?

    init(operation: String? = nil, caller: String? = nil, line: String? = nil) {
        self.operation = operation
        self.caller = caller
        self.line = line
    }

    /// Where the operator was called: the line or, if that is not known, the function.
    var place: String? { line ?? caller.map { "in \($0)" } }

    /// Reads the functions of a stack from the inside out, up to the first one that is not of this library.
    init(stack: [UInt]) {
        if let known = Self.known.withLock({ $0[stack] }) {
            self = known
            return
        }
        // A return address is behind the call.
        self.init(functions: stack.lazy.map { Symbols.function(at: $0 - 1) }) { Symbols.line(at: stack[$0] - 1) }
        Self.known.withLock { [self] known in
            if known.count >= Self.limit { known = [:] }
            known[stack] = self
        }
    }

    /// What was found before: in a large report, most futures are made by the same code.
    private static let known = Locked<[[UInt]: CallSite]>([:])
    /// At most this many stacks are kept: there are as many as there are ways through a recursion.
    private static let limit = 10_000

    /// - Parameter line: Called with the index of the user's function; returns the line of the call.
    init(functions: some Sequence<FunctionName?>, line: (Int) -> SourceLine? = { _ in nil }) {
        for (index, function) in functions.enumerated() {
            // Code without a name, and the standard library's, are between the library and the user's code.
            guard let function, !function.name.isEmpty, function.module != "Swift" else { continue }
            guard FunctionName.libraries.contains(function.module) else {
                caller = function.module.isEmpty ? function.name : "\(function.module).\(function.name)"
                self.line = line(index).map { $0.words(in: function.module) }
                return
            }
            operation = function.operation ?? operation
        }
        // No code of the user's: a function of the library that runs in a timer or a task says nothing.
        operation = nil
    }
}

extension FunctionName {
    /// The operator of the library, as users call it, that this function is or belongs to; nil if it belongs to what
    /// operators are made of, or if that is not known.
    ///
    /// `map` of `Future.map`, the type of an initializer.
    var operation: String? {
        var parts = name.split(separator: ".").map(String.init)
        guard Self.libraries.contains(module), !isMerged, let last = parts.popLast(),
            parts.first.map(Self.isPublic) ?? true
        else {
            return nil
        }
        if last == "init" || last == "__allocating_init" { return parts.last }
        // `DispatchGroup.future`: the word alone says nothing.
        if last == "future", let type = parts.last { return "\(type).future" }
        return Self.helpers[last] ?? last
    }

    /// The modules whose functions call each other for the user's code.
    fileprivate static let libraries: Set = ["Futures", "FuturesDiagnostics", "FuturesFoundation"]

    /// Whether users know the type, or extend it: the internal ones with methods that make futures are listed.
    private static func isPublic(_ type: String) -> Bool { !internalTypes.contains(type) }

    private static let internalTypes: Set = [
        "AwaitingOperation", "Batch", "CallStack", "Cleanup", "ClosureJob", "Combination", "Job", "Line", "LineNode",
        "Node", "Pool", "PoolNode", "TypedResource", "QueueCore", "QueuedNode", "Recorder", "Records", "Recording",
        "Repetition", "Sharing", "ThreadState", "TimeLimits", "Token", "Traversal", "UnsafeMutablePointer",
    ]

    /// Internal functions that operators share, and nil if they say nothing.
    private static let helpers: [String: String?] = [
        "limited": "timeout", "step": nil, "stepOfNode": nil, "runTask": nil, "attach": nil, "handling": nil,
        "advance": nil,
    ]
}
