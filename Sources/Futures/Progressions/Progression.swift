// Progression: work as a series of stages, each a value that describes how to get to the next one.

/// Work as a series of stages, usually an enum whose cases hold all that a stage needs.
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
/// A stage is a value: it can be stored and resumed later, and a test can start from any stage. A run retains its
/// current stage only, whatever the number of stages.
public protocol Progression<Result>: Sendable {
    /// The result of the last stage.
    associatedtype Result: Sendable

    /// Returns a deferred of the next stage.
    ///
    /// A run does not call it for a stage that has a result.
    func next() -> Deferred<Self>

    /// The result, if this is a completed stage; else nil.
    var result: Result? { get }
}

/// Traps: for the cases of `next()` that are completed stages.
///
/// A run does not call `next()` for a stage that has a result, so only other code can get here.
public func completedStage<Stage>(_ stage: Stage, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError("The stage \(stage) has completed: it has a result, and no next stage.", file: file, line: line)
}
