// named: a name for messages.

extension Future {
    /// Gives this future a name, which `print`, debuggers and the reports of `FuturesDiagnostics` show.
    ///
    ///     let user = fetch(id).named("user \(id)")
    ///
    /// The last name counts. `Future.never` has none. A name costs about a microsecond, whether anything reads it or
    /// not.
    ///
    /// - Parameter name: A text that says which one of many it is.
    /// - Returns: This future.
    @discardableResult
    public func named(_ name: String) -> Future {
        node.setName(name)
        return self
    }
}
