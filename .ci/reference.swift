// reference: writes the DocC catalogue of a module: its front page, the guides as articles, and the topics of its types.
//
//   reference GRAPHS ENTITIES CATALOGUE    the symbol graphs of a module, DocC's list of their pages, the folder to write
//
// The topics follow the sources: the members of a type are grouped by the folder in which they are declared, so that
// the reference is curated by the same hand as the house. Guides are copied, with their links as DocC wants them.

import Foundation

struct Failure: Error, CustomStringConvertible { let description: String }

/// The titles of the folders of sources, in the order of the topics.
let titles = [
    ("Core", "Futures and promises"), ("Operators", "Creating and cancelling"),
    ("Operators/Transforming", "Transforming results"),
    ("Operators/Observing", "Observing results"), ("Disposing", "Cancelling"), ("Core/Cancelling", "Disposing on a scheduler"),
    ("Combining", "Combining"),
    ("Combining/Traversing", "Traversing collections"), ("Operators/Timing", "Time"), ("Repeating", "Repeating"),
    ("Repeating/Retrying", "Retrying"), ("Queueing/Turns", "Turns"), ("Queueing", "Queues"), ("Queueing/Line", "Waiting in a queue"),
    ("Queueing/Line/State", "Limits and priorities"), ("Queueing/Keyed", "Keyed queues"),
    ("Queueing/Cleanup", "Cleanups"),
    ("Queueing/Locks", "Locks and semaphores"), ("Queueing/Pool", "Pools"), ("Queueing/Sharing", "Sharing and caching"),
    ("Progressing", "Deferreds and progressions"), ("Scheduling", "Schedulers"),
    ("Scheduling/Backends", "What schedulers stand on"), ("Scheduling/Carrying", "Values that travel"),
    ("Scheduling/Timers", "Timers"), ("Scheduling/Threads", "Threads"), ("Scheduling/Simulated", "Virtual time"),
    ("Scheduling/Recording", "What is recorded of schedulers"), ("Core/Recording", "What is recorded of futures"),
    ("Bridging/Callbacks", "Completion handlers"), ("Bridging/Tasks", "Tasks and async code"),
    ("Bridging/Waiting", "Waiting"), ("Bridging/Queues", "Queues and tasks"),
    ("Bridging/Sequences", "Asynchronous sequences"), ("Bridging/Dispatch", "Dispatch"), ("Bridging/Clocks", "Clocks"),
    ("Bridging/Signals", "Signals"), ("Bridging/Combine", "Combine"), ("Exploring", "Exploring"),
    // FuturesFoundation
    ("HTTP", "Requests"), ("HTTP/Sending", "Sending requests"), ("HTTP/Retrying", "Retrying requests"),
    ("Processes", "Processes"), ("Files", "Files"), ("Files/Replacing", "Replacing files"),
    ("Progress", "Progress"), ("Progress/Bridging", "Progress of futures"),
    ("Bridges", "Other types of Foundation"), ("Errors", "Descriptions of errors"),
    // FuturesTesting and FuturesDiagnostics
    ("", "Essentials"), ("Conformance", "Schedulers of your own"),
    ("Simulation", "Simulations"), ("Faults", "Injected faults"), ("Graph", "The graph of waits"),
    ("Events", "Events"), ("Metrics", "Metrics"), ("Watching", "Watching"), ("Symbols", "Names of functions"),
]

/// A symbol of the interface that has a page.
struct Symbol {
    let name: String
    /// The page as DocC names it, from the module on, such as `Futures/Future/map(_:)-4k5q`.
    let page: String
    let parent: String?
    let folder: String
    let place: (file: String, line: Int)
}

func json(_ file: URL) throws -> Any { try JSONSerialization.jsonObject(with: Data(contentsOf: file)) }

/// Reads the symbols of a module that are declared in its sources.
func symbols(graphs: URL, entities: URL) throws -> [Symbol] {
    guard let list = try json(entities) as? [[String: Any]] else { throw Failure(description: "no list of pages") }
    var pages: [String: String] = [:]
    for entity in list {
        guard let name = entity["usr"] as? String, let reference = entity["referenceURL"] as? String else { continue }
        pages[name] = reference.components(separatedBy: "/documentation/").last?.removingPercentEncoding
    }
    var symbols: [Symbol] = []
    let files = try FileManager.default.contentsOfDirectory(at: graphs, includingPropertiesForKeys: nil)
    for file in files.sorted(by: { $0.path < $1.path }) where file.path.hasSuffix(".symbols.json") {
        guard let graph = try json(file) as? [String: Any], let entries = graph["symbols"] as? [[String: Any]] else {
            throw Failure(description: "\(file.lastPathComponent) is no symbol graph")
        }
        for entry in entries {
            guard let identifier = (entry["identifier"] as? [String: Any])?["precise"] as? String,
                let page = pages[identifier], let location = entry["location"] as? [String: Any],
                let source = (location["uri"] as? String)?.components(separatedBy: "/Sources/").last,
                let line = (location["position"] as? [String: Any])?["line"] as? Int,
                let path = entry["pathComponents"] as? [String]
            else { continue }
            let folders = source.split(separator: "/").dropFirst().dropLast().joined(separator: "/")
            symbols.append(
                Symbol(
                    name: path.joined(separator: "/"), page: page,
                    parent: path.count > 1 ? String(page[..<page.lastIndex(of: "/")!]) : nil, folder: folders,
                    place: (source, line)))
        }
    }
    return symbols.sorted { $0.place < $1.place }
}

/// Returns a section for each folder in which some symbols are declared.
func topics(_ symbols: [Symbol]) throws -> String {
    let folders = Dictionary(grouping: symbols, by: \.folder)
    if let unknown = folders.keys.filter({ folder in !titles.contains { $0.0 == folder } }).sorted().first {
        throw Failure(description: "the folder \"\(unknown)\" needs a title in .ci/reference.swift")
    }
    return titles.compactMap { folder, title in
        folders[folder].map { symbols in
            "### \(title)\n\n" + symbols.map { "- ``/\($0.page)``\n" }.joined()
        }
    }
    .joined(separator: "\n")
}

@main
enum Reference {
    static func main() {
        do { try write() } catch {
            FileHandle.standardError.write(Data("reference: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func write() throws {
        let arguments = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
        guard arguments.count == 3 else { throw Failure(description: "usage: reference GRAPHS ENTITIES CATALOGUE") }
        let module = arguments[0].lastPathComponent
        let symbols = try symbols(graphs: arguments[0], entities: arguments[1])
        let catalogue = arguments[2]
        try FileManager.default.createDirectory(at: catalogue, withIntermediateDirectories: true)
        func write(_ text: String, to name: String) throws {
            try text.write(to: catalogue.appending(path: name), atomically: true, encoding: .utf8)
        }

        let types = Dictionary(grouping: symbols.filter { $0.parent != nil }, by: { $0.parent! })
        for (parent, members) in types where members.count > 5 {
            let name = parent.replacing("/", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" }
            let text = "# ``\(parent)``\n\n## Topics\n\n\(try topics(members))"
            try write(text, to: "Topics-\(name).md")
        }
        let own = try topics(symbols.filter { $0.parent == nil })
        if module == "Futures" {
            let guides = try Guides(root: URL(filePath: "."))
            for guide in guides.all { try write(guides.article(guide), to: guide.article + ".md") }
            for image in guides.images {
                try FileManager.default.copyItem(at: image, to: catalogue.appending(path: image.lastPathComponent))
            }
            try write(guides.frontPage(module: module, symbols: own), to: "Front.md")
        } else {
            try write("# ``\(module)``\n\n## Topics\n\n\(own)", to: "Front.md")
        }
    }
}
