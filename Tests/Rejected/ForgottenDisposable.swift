// rejected: cannot convert value of type 'Void' to closure result type 'any Disposable'
import Futures

func load() -> Future<Int> {
    Future { completion in completion(.success(1)) }
}
