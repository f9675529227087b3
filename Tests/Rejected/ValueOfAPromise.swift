// rejected: 'value' is unavailable: use Future(value)
import Futures

let number = Future.value(1)
