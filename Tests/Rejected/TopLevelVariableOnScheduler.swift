// rejected: main actor-isolated var 'count' can not be mutated from a nonisolated context
import Futures

var count = 0
Future(1).onValue(on: .background) { count += $0 }
