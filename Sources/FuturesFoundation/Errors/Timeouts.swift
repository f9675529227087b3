// Which errors of FuturesFoundation mean that a time limit has passed.

import Foundation
import Futures

extension HTTPError: TimeoutTelling {
    package var hasTimedOut: Bool {
        switch self {
        case .timedOut, .idleTimedOut: true
        default: false
        }
    }
}

extension CommandError: TimeoutTelling {
    package var hasTimedOut: Bool { if case .timedOut = self { true } else { false } }
}

extension URLError: TimeoutTelling {
    package var hasTimedOut: Bool { code == .timedOut }
}
