// What the code in the comments of public declarations takes for granted (.ci/docs). Several pieces use the same names, so
// there are overloads: futures, asynchronous functions, and functions with completions.

import Foundation
import Futures
import FuturesDiagnostics
import FuturesFoundation
import FuturesTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

public struct Page: Codable, Sendable {
    public var hasNext = false
    public init() {}
    public init(_ data: Data) throws {}
}
public struct User: Codable, Sendable { public var name = "" }
public struct Entry: Sendable { public init() {} }
public struct Document: Sendable { public init(_ data: Data) throws {} }
public struct Settings: Sendable { public init(_ data: Data) throws {} }
public struct Image: Sendable { public func scaledAndDecorated() -> Image { self } }
public struct Offline: Error { public init() {} }
public struct Answer: Sendable { public init() {} }
public struct Zone: Sendable { public init() {} }
public struct Position: Sendable { public init() {} }
public struct Server: Sendable { public init() {} }

public let url = URL(string: "http://localhost/")!
public let urls = [url]
public let address = url
public let addresses = urls
public let folder = URL(fileURLWithPath: "/tmp")
public let settings = folder
public let path = "/tmp"
public let name = "name"
public let id = 7
public let data = Data()
public let title = Future("title")
public let session = URLSession.shared
public let server = Server()

public func show(_ anything: Any...) {}
public func report(_ error: any Error) {}
public func log(_ anything: Any...) {}
public func index(_ line: String) -> Future<Entry> { .never }
public func index(_ url: URL) -> Future<Void> { .never }

// Pages, users and other things that are loaded.
public let pages = [page(1)]
public let cached = page(1)
public let fetched = Future(data)
public let user = Future(User())
public let cursor = 0
public let downloads = [Future(data)]
public func page(_ number: Int) -> Future<Page> { Future(Page()) }
public func page(at url: URL) -> Future<Page> { page(1) }
public func page(at url: URL) async throws -> Page { Page() }
public func page(after cursor: Int) -> Future<Page> { page(1) }
public func load() -> Future<Int> { Future(1) }
public func load() async throws -> Int { 1 }
public func ask(_ url: URL) async throws -> String { "" }
public func load(_ url: URL) -> Future<Data> { fetched }
public func load(_ page: Page, after cursor: Int) -> Future<Int> { Future(cursor) }
public func load(_ page: Future<Page>, after cursor: Int) -> Future<Int> { Future(cursor) }
public func store(_ number: Int) -> Future<Void> { Future() }
public func store(_ number: Int) async throws {}
public func store<Stage>(_ stage: Stage) throws {}
public func change(_ number: Int) -> Int { number }
public func fetch(_ url: URL) async throws -> String { "" }
public func fetch(_ url: URL) -> Future<Data> { fetched }
public func fetch(_ id: Int) -> Future<User> { user }
public func fetchUser() -> Future<User> { user }
public func users(_ ids: [Int]) async throws -> [Int: User] { [:] }
public func friends(of user: User) async throws -> [User] { [] }
public func image(at url: URL) -> Future<Image> { .never }
public let fetchImage = Future<Image>.never
public let fetchStatus = Future("")
public func request(_ file: LogFile, _ url: URL) throws -> URLRequest { URLRequest(url: url) }
public func request() -> Future<Page> { page(1) }
public func reply(to request: URLRequest) -> Future<Void> { Future() }
public func upload(_ file: LogFile) -> Future<URL> { Future(url) }
public func upload(_ file: LogFile) async throws -> URL { url }
public func serve() async {}
public func write(_ data: Data) throws {}
public func write(_ line: String) -> Future<Void> { Future() }
public func contents(of path: String) throws -> Data { Data() }
public func rebuild(_ folder: URL) -> Future<Void> { Future() }
public func download(counting pages: ProgressCounter) -> Future<Void> { Future() }
public func fibonacci(_ number: Int) -> Duration { .seconds(number) }
public func transfer(_ number: Int, by accounts: KeyedFutureQueue<String>) -> Future<Int> { Future(number) }
public let line = "line"
public let lines = AsyncStream<String> { $0.finish() }
public let requests = AsyncStream<URLRequest> { $0.finish() }
public func showSpinner() -> any Disposable { Disposer {} }

// APIs with completions.
public struct API: Sendable {
    public func zoneExists(named name: String, completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {}
    public func zoneExists(named name: String, _ completion: @escaping @Sendable (Result<Bool, any Error>) -> Void) {}
    public func fetch(_ url: URL, _ completion: @escaping @Sendable (Data, (any Error)?) -> Void) {}
}
public let api = API()
public struct Sensor: Sendable { public func readPosition(_ completion: @escaping @Sendable (Position) -> Void) {} }
public let sensor = Sensor()
public struct Loader: Sendable {
    public func load(
        _ url: URL, onSuccess: @escaping @Sendable (Page) -> Void, onFailure: @escaping @Sendable (any Error) -> Void
    ) {}
}
public let loader = Loader()
extension URLSession { public func contents(of url: URL) -> Future<Data> { fetched } }

// What queues, pools and locks are used with.
public final class LogFile: Sendable {
    public func append(_ line: String) -> Future<Int> { Future(0) }
    public func append(_ line: String) async throws -> Int { 0 }
    public func read() async throws -> String { "" }
    public func seek(to offset: Int) throws {}
}
public let file = LogFile()
public let record = "record"
public let header = "header"
public let body = "body"
public struct Order: Sendable { public init() {} }
public let order = Order()
public final class Database: Sendable {
    public func begin() -> Future<Void> { Future() }
    public func insert(_ order: Order) -> Future<Void> { Future() }
    public func commit() -> Future<Void> { Future() }
    public func rollBackUnlessCommitted() -> Future<Void> { Future() }
    public func begin() async throws {}
    public func insert(_ order: Order) async throws {}
    public func commit() async throws {}
    public func rollBackUnlessCommitted() async throws {}
    public func run(_ statement: String) async throws {}
    public func store<Stage>(_ stage: Stage) async throws {}
}
public final class Connection: Sendable {
    public init() {}
    public init(to server: Server) async throws {}
    public static func open(to server: Server) -> Future<Connection> { Future(Connection()) }
    public func ping() -> Future<Bool> { Future(true) }
    public func close() -> Future<Void> { Future() }
    public func close() async {}
    public func query(_ text: String) -> Future<Answer> { Future(Answer()) }
    public func ask(_ text: String) async throws -> Answer { Answer() }
    public func reset() -> Future<Void> { Future() }
    public func write(_ record: String) -> Future<Void> { Future() }
    public func flush() -> Future<Void> { Future() }
}
public let connection = Connection()
public struct Glossary: Sendable {
    public func find(_ word: String) -> Future<Page> { page(1) }
    public func add(_ word: String) async throws {}
}
public let glossary = Glossary()
public let word = "word"
public let queue = FutureQueue(resource: LogFile())
public let database = FutureQueue(resource: Database())
public let journal = Database()
public let pool = ResourcePool(maxCount: 1) { Future(Connection()) }
public struct Storage: Sendable {
    public var number: Int { 100 }
    public init(_ number: Int) {}
    public func add(_ number: Int) -> Future<Void> { Future() }
}

// Schedulers, requests, deferreds and progressions.
public protocol EventLoop: AnyObject, Sendable {
    var inEventLoop: Bool { get }
    func execute(_ work: @escaping @Sendable () -> Void)
}
public final class Loop: EventLoop {
    public var inEventLoop: Bool { true }
    public func execute(_ work: @escaping @Sendable () -> Void) {}
}
public let loop: any EventLoop = Loop()
public let scheduler = Scheduler.background
public let bag = DisposeBag()
public struct Call: Sendable { public func cancel() {} }
public let source = Call()
public let client = HTTPClient()
public let policy = RetryPolicy(.constant(.seconds(1)))
public let budget = RetryBudget()
public struct Unauthorized: Error {}
public func refreshToken() -> Future<Void> { Future() }
public let center = NotificationCenter.default
extension Notification.Name { public static let loaded = Notification.Name("loaded") }
public struct ServiceContext: Sendable { @TaskLocal public static var current: ServiceContext? }
public final class Client: Sendable {
    public init() {}
    public func start() {}
    public func stop() {}
}
public let picture = Deferred<Image> { Image() }
public let text = Deferred { "text" }
public enum Upload: Progression {
    case open(LogFile)
    public func next() -> Deferred<Upload> { Deferred(self) }
    public var result: String? { "" }
}
public enum Opening: Progression {
    case opening
    public func next() -> Deferred<Opening> { Deferred(self) }
    public var result: LogFile? { file }
}
public enum Sending: Progression {
    case opening(stage: Opening, url: URL)
    case sending(URLRequest)
    public func next() -> Deferred<Sending> { Deferred(self) }
    public var result: String? { "" }
}

// A library of metrics.
public struct Counter: Sendable {
    public init(label: String) {}
    public func increment(by count: Int) {}
}
public struct Timer: Sendable {
    public init(label: String, dimensions: [(String, String)]) {}
    public func record(duration: Duration) {}
}
public struct Gauge: Sendable {
    public init(label: String, dimensions: [(String, String)]) {}
    public func record(_ value: Int) {}
}
