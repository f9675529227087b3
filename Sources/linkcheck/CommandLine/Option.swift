// Option: the options of the command line and of config files, with their help.

/// An option.
struct Option: Sendable {
    /// The long name, without hyphens.
    let name: String
    let letter: Character?
    /// What the help calls the value, or nil if the option has none.
    let value: String?
    let help: String
    /// Changes the arguments. It is called with the value and with the name as written.
    let apply: @Sendable (inout Arguments, String, String) throws -> Void

    init(
        _ name: String, letter: Character? = nil, value: String? = nil, _ help: String,
        _ apply: @escaping @Sendable (inout Arguments, String, String) throws -> Void
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
        self.apply = apply
    }

    static func named(_ name: String) -> Option? {
        all.first { "--" + $0.name == name || $0.letter.map { "-\($0)" } == name }
    }

    static let all = groups.flatMap(\.options)

    static let groups: [(title: String, options: [Option])] = [
        ("What is checked", scope), ("Files and folders", files), ("How pages are read", crawling),
        ("Requests", requests), ("Reports", reports),
        ("Other", other),
    ]
}

extension Option {
    private static func flag(
        _ name: String, letter: Character? = nil, _ help: String,
        _ path: any WritableKeyPath<Arguments, Bool> & Sendable, to state: Bool = true
    ) -> Option {
        Option(name, letter: letter, help) { arguments, _, _ in arguments[keyPath: path] = state }
    }

    private static func text(
        _ name: String, _ value: String, _ help: String, _ path: any WritableKeyPath<Arguments, String?> & Sendable
    ) -> Option {
        Option(name, value: value, help) { arguments, text, _ in arguments[keyPath: path] = text }
    }

    /// An option that may be given several times.
    private static func list(
        _ name: String, _ value: String, _ help: String, _ path: any WritableKeyPath<Arguments, [String]> & Sendable,
        _ parse: @escaping @Sendable (String, String) throws -> String = { text, _ in text }
    ) -> Option {
        Option(name, value: value, help) { $0[keyPath: path].append(try parse($1, $2)) }
    }

    private static func count(
        _ name: String, letter: Character? = nil, _ help: String,
        _ path: any WritableKeyPath<Arguments, Int> & Sendable,
        _ range: ClosedRange<Int>
    ) -> Option {
        Option(name, letter: letter, value: "count", help) { $0[keyPath: path] = try Values.count($1, for: $2, range) }
    }

    private static func seconds(
        _ name: String, _ help: String, _ path: any WritableKeyPath<Arguments, Duration> & Sendable
    ) -> Option {
        Option(name, value: "seconds", help) { $0[keyPath: path] = try Values.seconds($1, for: $2) }
    }

    private static let scope = [
        list(
            "include", "regex", "check only links whose address or path matches", \.options.filter.include,
            Values.pattern),
        list(
            "exclude", "regex", "ignore links whose address or path matches", \.options.filter.exclude, Values.pattern),
        flag("internal", "ignore links to other sites", \.options.isInternal),
        flag("offline", "ignore links to the web", \.options.isOffline),
        flag("anchors", "check the anchors of pages of other sites, too", \.options.readsAnchors),
        Option("definitions", value: "what", "check, ignore or report the definitions that no link uses (check)") {
            $0.options.definitions = try Values.choice($1, for: $2)
        },
        list("list", "file", "check the addresses and files that it lists, one a line; - is the input", \.lists),
        flag("sitemap", "check the pages that the sitemaps of the site list, too", \.options.usesSitemaps),
    ]

    private static let files = [
        list("skip", "pattern", "leave out files and folders of folders, as in .gitignore", \.options.files.skipped),
        flag(
            "no-ignore", "read what .gitignore leaves out, and node_modules and the like",
            \.options.files.honorsIgnoreFiles, to: false),
        list("root", "folder", "look up /paths of links in files there, too", \.options.roots) { text, _ in
            FilePath.normal(text)
        },
        list(
            "published-at", "address", "links to it are those to files of the folders", \.options.published, Values.site
        ),
        list("extension", "name", "links may leave it out: html for guide.html", \.options.files.extensions),
        Option("index", value: "name", "a link to a folder leads to this file in it, if it exists") {
            arguments, value, _ in arguments.options.files.indexNames.insert(value, at: 0)
        },
    ]

    private static let crawling = [
        count("max-pages", "read at most this many pages", \.options.maxPages, 1...1_000_000_000),
        count("depth", "read pages up to this many links away from the first", \.options.maxDepth, 0...1_000_000),
        Option("max-body", value: "size", "read pages of up to this size (10M); k, M and G are units") {
            $0.options.limits.maxBody = try Values.size($1, for: $2)
        },
        flag(
            "ignore-robots", "read pages that robots.txt asks crawlers to leave out", \.options.honorsRobots, to: false),
    ]

    private static let requests = [
        count("per-host", letter: "n", "concurrent requests to one host (4)", \.options.limits.perHost, 1...10_000),
        count("in-flight", "concurrent requests in all (16)", \.options.limits.inFlight, 1...10_000),
        Option("rate", value: "count", "requests to one host in a second (no limit)") {
            $0.options.limits.rate = try Values.count($1, for: $2, 1...10_000)
        },
        seconds("timeout", "limit for each wait for a server (10)", \.options.limits.timeout),
        seconds("total-timeout", "limit for a whole response (60)", \.options.limits.totalTimeout),
        count("retries", "retries of requests that may succeed later (3)", \.options.limits.retries, 0...10_000),
        seconds(
            "max-pause", "the longest pause that a host may ask for by Retry-After (60)", \.options.limits.maxPause),
        count("redirects", "redirects that are followed from one link (10)", \.options.limits.redirects, 0...10_000),
        Option("accept", value: "statuses", "statuses of good responses, such as 200-299,403") {
            $0.options.limits.accepted = try Values.statuses($1, for: $2)
        },
        Option("header", value: "field", "a field for requests to the checked sites, as 'Name: value'") {
            $0.options.identity.siteFields.append(try Values.field($1, for: $2))
        },
        Option("user-agent", value: "text", "the name in requests (linkcheck/\(LinkCheck.version))") {
            $0.options.identity.userAgent = try Values.fieldValue($1, for: $2)
        },
        text(
            "auth-file", "file", "lines of 'host user:password'; or set LINKCHECK_AUTH for the sites",
            \.files.credentials),
        text("cache", "file", "do not repeat requests that were good, and remember those that are", \.files.cache),
        seconds("cache-age", "how long a good request is remembered (86400)", \.files.cacheAge),
    ]

    private static let reports = [
        Option("format", value: "name", "text, json, junit or github (annotations of a workflow)") {
            $0.reporting.format = try Values.choice($1, for: $2)
        },
        Option("color", value: "when", "auto, always or never") { $0.reporting.color = try Values.choice($1, for: $2) },
        flag("quiet", letter: "q", "write only the report, and only if a link is broken", \.reporting.isQuiet),
        flag("verbose", letter: "v", "write each request to the standard error", \.reporting.isVerbose),
        flag(
            "diagnose", "write what is pending to the standard error: on Ctrl-\\ and at the end",
            \.reporting.isDiagnosing),
        text("wait-graph", "file", "write the graph of waits then, for Graphviz", \.reporting.waitGraph),
    ]

    private static let other = [
        Option("config", value: "file", "read options there, and not in .linkcheck: lines such as 'timeout 5'") {
            _, _, _ in
        },
        Option("serve", "serve the embedded site until Ctrl-C") { arguments, _, _ in
            if arguments.command == .demonstrate { arguments.command = .serve }
        },
        Option("version", "write the version") { arguments, _, _ in
            if arguments.command != .help { arguments.command = .version }
        },
        Option("help", letter: "h", "write this") { arguments, _, _ in arguments.command = .help },
    ]
}
