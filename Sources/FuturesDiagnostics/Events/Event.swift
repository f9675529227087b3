// Event: something that happens to futures, queues or schedulers, and that their code may not have meant.

extension Diagnostics {
    /// Something that happened, and that the code of the program may not have meant.
    public struct Event: Sendable, CustomStringConvertible {
        /// What happened. Its text, as in `"\(event.kind)"`, is its name. There may be more kinds in later versions, so a
        /// `switch` needs a `default`.
        @nonexhaustive
        public enum Kind: Sendable {
            /// A future failed and was released, and nothing had listened to it or read its result: its error is lost.
            ///
            /// Cancelled futures do not count, nor those whose last step is one that gets errors, such as `onError` or
            /// `always`; nor futures that lose in a `select`, because that listens to them.
            case unobservedFailure
            /// A promise or a completion closure was released without being called.
            case abandoned
            /// A callback has been running on a serial scheduler for longer than ``Limits/callback``: no other callback
            /// runs there meanwhile.
            case blockedScheduler
            /// More operations than ``Limits/waitingCount`` wait in a queue, lock or pool.
            case deepQueue
            /// An operation has had its turn in a queue, lock or pool, or a permit has been held, for longer than
            /// ``Limits/operation``.
            case longOperation
            /// A future retains more steps than ``Limits/historyCount``, so that it can be repeated.
            case longHistory
            /// A thread is in a call of `wait` for a future that cannot complete: because of a deadlock, or because it
            /// waits for `Future.never`.
            case endlessWait
            /// More than 1,000 events were waiting for a handler that had not returned, and these were left out.
            case leftOut
        }

        /// What happened.
        public let kind: Kind
        /// The error that nothing has observed, for ``Kind/unobservedFailure``.
        public let error: (any Error)?
        /// What it happened to: a future, by its operator and where it was made; a queue; or a call of `wait`.
        public let subject: String
        /// How long it has lasted, for ``Kind/blockedScheduler``, ``Kind/longOperation`` and ``Kind/endlessWait``.
        public let duration: Duration?
        /// How many there are: the operations that wait, the steps of a history, or the events that were left out.
        public let count: Int?

        /// One line.
        public let description: String

        init(
            _ kind: Kind, _ subject: String, error: (any Error)? = nil, duration: Duration? = nil, count: Int? = nil,
            _ description: String
        ) {
            self.kind = kind
            self.subject = subject
            self.error = error
            self.duration = duration
            self.count = count
            self.description = description
        }
    }
}
