// Progression: work as stages, each a value that says how to get to the next.

/// Work as a series of stages: an enum, mostly, whose cases hold all that a stage has to know.
///
///     enum FileOpen: Progression {
///         case read(path: String)
///         case parse(Data)
///         case success(Document)
///
///         func next() -> Deferred<FileOpen> {
///             Deferred {
///                 switch self {
///                 case .read(let path): .parse(try contents(of: path))
///                 case .parse(let data): .success(try Document(data))
///                 case .success: completedStage(self)
///                 }
///             }
///         }
///
///         var result: Document? {
///             guard case .success(let document) = self else { return nil }
///             return document
///         }
///     }
///
///     FileOpen.read(path: path).execute { useResult in show(try useResult()) }
///
/// A stage is a value: it can be stored and gone on from later, and a test can begin with any. However many stages there
/// are, the last one is all that a run keeps.
public protocol Progression: Sendable {
    /// What comes of it.
    associatedtype Result: Sendable

    /// Describes how to get to the next stage; it is not called of one that has a result.
    func next() -> Deferred<Self>

    /// The result, if this is a completed stage.
    var result: Result? { get }
}

/// A progression whose stages follow one another in place: its steps neither wait nor copy.
///
///     struct Sum: SteppingProgression {
///         var number = 0
///         var sum = 0
///         mutating func step() { number += 1; sum += number }
///         var result: Int? { number == 1_000 ? sum : nil }
///     }
public protocol SteppingProgression: Progression {
    /// Goes on to the next stage; it is not called of one that has a result.
    mutating func step() throws
}

extension SteppingProgression {
    /// Describes one step of a copy.
    public func next() -> Deferred<Self> {
        Deferred {
            var copy = self
            try copy.step()
            return copy
        }
    }
}

/// Traps: says in `next()` that a completed stage has none.
///
/// A run asks no stage that has a result; so a `next()` that comes here was called by other code.
public func completedStage<Stage>(_ stage: Stage, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError("The stage \(stage) has completed: it has a result, and no next stage.", file: file, line: line)
}
