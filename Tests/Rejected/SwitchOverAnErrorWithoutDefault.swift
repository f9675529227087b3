// rejected: switch covers known cases
import Futures

#if !hasAttribute(nonexhaustive)
    #error("switch covers known cases only where the compiler knows the attribute: Swift 6.2.3 and later")
#endif

func text(of error: QueueError) -> String {
    switch error {
    case .closed, .full: "try later"
    case .waitTimedOut, .runTimedOut: "too slow"
    case .deadlock: "a mistake"
    }
}
