// rejected: missing return in closure expected to return 'any Disposable'
import Futures

func load() -> Future<Int> {
    Future { completion in
        let number = 1
        completion(.success(number))
    }
}
