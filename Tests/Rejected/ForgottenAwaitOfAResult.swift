// rejected: expression is 'async' but is not marked with 'await'
import Futures

func title(_ page: Future<String>) async -> Result<String, any Error> {
    page.getResult()
}
