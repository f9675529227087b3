// rejected: 'retry' is unavailable: use onErrorRepeat(maxRepetitions:), or retry with a RetryPolicy
import Futures

func insist(_ number: Future<Int>) -> Future<Int> {
    number.retry(3)
}
