// named: a name for messages.

extension Future {
    /// Gives this future a name, which `print`, debuggers and reports show in a program with `FuturesDiagnostics`.
    ///
    ///     let user = fetch(id).named("user \(id)")
    ///
    /// The last name counts. `Future.never` has none. A name costs about a microsecond, whether anything reads it or
    /// not; without `FuturesDiagnostics`, it costs nothing, and is not kept.
    ///
    /// - Parameter name: A text that says which one of many it is.
    /// - Returns: This future.
    @discardableResult
    public func named(_ name: String) -> Future {
        node.setName(name)
        return self
    }
}
