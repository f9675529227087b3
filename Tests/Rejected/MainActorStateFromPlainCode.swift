// rejected: main actor-isolated property 'count' can not be mutated
import Futures

@MainActor final class Screen {
    var count = 0
}

func show(_ future: Future<Int>, on screen: Screen) {
    future.onValue { screen.count += $0 }
}
