// Checker: checks all links of a page, and of the pages of the same site that it links to.

import Foundation
import Futures

/// Checks sites, folders and files. Its `report` contains the findings so far.
///
/// It is isolated to the main actor, whose work `wait()` runs when it is called at the top level of a program.
@MainActor
final class Checker {
    let options: Options
    let fetcher: Fetcher
    let library: Library
    private let names: Names
    private let filter: Filter
    private let cache: ResultCache?
    private var found = Report()

    private var targets: [String: Target] = [:]
    /// The sites whose pages are read, with their rules. Of other sites, only the existence of the linked pages is
    /// checked.
    private var sites: [Origin: Robots] = [:]
    /// The files whose links are checked, with the folders to which `/…` in them is relative.
    private var documents: [String: [String]] = [:]
    private var pagesRead: Set<URL> = []

    /// Called for each broken link when it is found, with the first of its places.
    var onFinding: (_ target: String, _ reason: String, Place) -> Void = { _, _, _ in }
    /// Called when a visit has ended, with the number of those so far and of those that are known.
    var onProgress: (_ visited: Int, _ known: Int) -> Void = { _, _ in }
    private var visitedCount = 0

    init(
        options: Options = Options(), names: Names = Names(), cache: ResultCache? = nil,
        log: @escaping (String) -> Void = { _ in }
    ) {
        self.options = options
        self.names = names
        self.cache = cache
        library = Library(options.files)
        filter = Filter(options.filter)
        fetcher = Fetcher(limits: options.limits, identity: options.identity, log: log)
    }

    /// The findings so far.
    var report: Report {
        var report = found
        report.retries = fetcher.retries
        report.redirects = fetcher.redirects
        return report
    }

    func addSite(of address: URL, robots: Robots) {
        if let origin = Origin(address) { sites[origin] = robots }
    }

    /// Adds files whose links are checked.
    func addDocuments(_ paths: [String], roots: [String]) {
        for path in paths { documents[path] = documents[path] ?? roots + options.roots }
    }
}

extension Checker {
    /// Checks the links of a page. The returned future completes when all that they lead to has been checked.
    private func checkLinks(of visit: Visit, depth: Int) -> Future<Void> {
        guard found.pages < options.maxPages, depth <= options.maxDepth, pagesRead.insert(visit.address).inserted else {
            return Future()
        }
        if visit.document?.kind.isPage == true { found.pages += 1 }
        let base = visit.base(roots: documents[visit.address.name] ?? [], published: options.published)
        let page = names.name(of: visit.address.name)
        let links = visit.takeLinks()
        found.links += links.count
        let checked = links.filter { link in
            guard link.unusedLabel != nil, options.definitions != .check else { return true }
            let place = Place(page: page, line: link.line)
            if options.definitions == .ignore { found.ignored += 1 }
            if options.definitions == .report { add(target: link.target, reason: "no link uses it", at: [place]) }
            return false
        }
        // Many pages link to the same address many times.
        let places = Dictionary(grouping: checked, by: \.target).mapValues { links in
            links.map { Place(page: page, line: $0.line) }
        }
        return join(
            places.map { text, places in
                follow(LinkTarget(text, on: base), writtenAs: text, at: places, depth: depth + 1)
            }
        ).asVoid()
    }

    /// Checks the links at `places`, and all that they lead to, unless other links have led there before.
    func follow(
        _ link: LinkTarget, writtenAs text: String = "", at places: [Place], depth: Int = 0
    ) -> Future<Void> {
        guard depth == 0 || isChecked(link) else {
            found.ignored += places.count
            return Future()
        }
        switch link {
        case .unusable(let reason):
            add(target: text, reason: reason, at: places)
            return Future()
        case .file(let paths, let fragment):
            let mention = Target.Mention(fragment: fragment, places: places)
            return visit(paths[0], mention, depth: depth) { self.library.read(paths) }
        case .web(let address, let fragment):
            let mention = Target.Mention(fragment: fragment, places: places)
            // Anchors of another site need the page, which other links to it do not.
            let needsAnchors = options.readsAnchors && fragment?.isEmpty == false && !isOnSite(address)
            return visit(address.absoluteString, needsAnchors: needsAnchors, mention, depth: depth) {
                self.visit(address, isStart: depth == 0, needsAnchors: needsAnchors)
            }
        case .ignored: return Future()
        }
    }

    /// Adds a link to its target. If it is the first, visits the target and checks the links of the page there.
    private func visit(
        _ address: String, needsAnchors: Bool = false, _ mention: Target.Mention, depth: Int,
        by visit: () -> Future<Visit>
    ) -> Future<Void> {
        let key = needsAnchors ? address + "#" : address
        if let target = targets[key] {
            target.add(mention)
            return Future()
        }
        let target = Target(address) { self.check($0, $1, $2) }
        targets[key] = target
        target.add(mention)
        return visit()
            .onResult { result in
                target.complete(result)
                self.visitedCount += 1
                self.onProgress(self.visitedCount, self.targets.count)
            }
            .flatMap { visit in
                let isStart = depth == 0
                if isStart, visit.document == nil { self.note(NotRead(), about: address, at: mention.places) }
                return self.isRead(visit, isStart: isStart) ? self.checkLinks(of: visit, depth: depth) : Future()
            }
            .recover { _ in }
    }

    /// Adds a finding if the target of a link is broken.
    private func check(_ target: Target, _ result: Result<Visit, any Error>, _ mention: Target.Mention) {
        switch result {
        case .failure(let error): note(error, about: target.address, at: mention.places)
        case .success(let visit):
            guard let fragment = mention.fragment, let document = visit.document,
                options.readsAnchors || isOnSite(visit.address), document.kind.hasAnchors, !document.hasAnchor(fragment)
            else { return }
            note(NoSuchAnchor(), about: target.address, fragment: fragment, at: mention.places)
        }
    }
}

extension Checker {
    private func visit(_ address: URL, isStart: Bool, needsAnchors: Bool) -> Future<Visit> {
        let isOnSite = isOnSite(address)
        let isWhole = isOnSite || needsAnchors
        if isStart {
            return fetcher.fetch(address).flatMap { response in
                // A site may redirect to another host, for example from example.org to www.example.org.
                let isMoved = isOnSite && !self.isOnSite(response.address)
                return (isMoved ? self.addSite(of: response.address).asVoid() : Future())
                    .flatMap { self.library.read(response) }
            }
        }
        if !isWhole, cache?.isGood(address) == true { return Future(Visit(address: address, document: nil)) }
        return (isWhole && address.looksLikePage ? fetcher.fetch(address) : look(at: address, isWhole: isWhole))
            .onValue { _ in if !isOnSite { self.cache?.add(address) } }
            .flatMap { self.library.read($0) }
    }

    /// Requests an address without the body, because loading an image would be a waste. If the response is a page to be
    /// read, requests it again with the body.
    private func look(at address: URL, isWhole: Bool) -> Future<Response> {
        fetcher.probe(address).flatMap { response in
            let isRead = self.isOnSite(response.address) || isWhole && self.options.readsAnchors
            return isRead && response.body.isEmpty && response.kind != nil
                ? self.fetcher.fetch(response.address) : Future(response)
        }
    }

    private func isOnSite(_ address: URL) -> Bool {
        address.isFileURL || Origin(address).map { sites[$0] != nil } ?? false
    }

    /// Returns whether the options and the rules of the site allow to visit a target.
    private func isChecked(_ link: LinkTarget) -> Bool {
        switch link {
        case .ignored: return false
        case .unusable: return true
        case .file(let paths, _): return filter.includes(names.name(of: paths[0]))
        case .web(let address, _):
            if options.isOffline || (options.isInternal && !isOnSite(address)) { return false }
            guard filter.includes(address.absoluteString) else { return false }
            guard options.honorsRobots, let origin = Origin(address), let rules = sites[origin] else { return true }
            let query = address.query().map { "?" + $0 } ?? ""
            return rules.rules.isEmpty || rules.allows(address.path() + query)
        }
    }

    /// Returns whether the links of a page are checked. A sitemap may be on another host.
    private func isRead(_ visit: Visit, isStart: Bool) -> Bool {
        guard visit.document != nil else { return false }
        return isStart || (visit.address.isFileURL ? documents[visit.address.name] != nil : isOnSite(visit.address))
    }
}

extension Checker {
    func note(_ error: any Error, about address: String, fragment: String? = nil, at places: [Place]) {
        let target = names.name(of: address) + (fragment.map { "#" + $0 } ?? "")
        let failure = error as? FetchFailure
        var reason = "\(failure?.error ?? error)"
        if let failure, failure.address.absoluteString != address {
            reason += " (redirected to \(names.name(of: failure.address.absoluteString)))"
        }
        add(target: target, reason: reason, at: places)
    }

    private func add(target: String, reason: String, at places: [Place]) {
        let (target, reason) = (target.withoutPasswords, reason.withoutPasswords)
        for place in places where found.add(target: target, reason: reason, place: place) {
            onFinding(target, reason, place)
        }
    }
}
