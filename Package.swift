// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
// For the libraries whose interfaces consist of types of other modules.
let publicImports = Array(settings.dropLast())

// Explores interleavings of the core's threads (Documentation/Maintainers/Verification.md): a build of its own, with
// Sources/Exploring in place of atomics and semaphores.
let isExploring = Context.environment["FUTURES_EXPLORING"] != nil
// Optimized: that takes less time, and is what clients run.
let coreSettings = isExploring ? settings + [.define("EXPLORING"), .unsafeFlags(["-O"])] : settings

// CI runs these tests in debug builds only: a release build, or one for the thread sanitizer, takes twice as long with
// them. What only such a build can show, random programs and races of the same features do.
let isReleaseTests = Context.environment["FUTURES_RELEASE_TESTS"] != nil
let debugOnly = [
    "Combine", "Combining", "Core", "Diagnosing", "Disposing", "Future", "FuturesTesting", "Pools", "Progressions",
    "Propagating", "Queues", "Repeating", "Scheduling", "SeedTests", "Sharing", "Tasks", "Time", "Waiting",
]

let package = Package(
    name: "Futures",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Futures", targets: ["Futures"]),
        .library(name: "FuturesDiagnostics", targets: ["FuturesDiagnostics"]),
        .library(name: "FuturesFoundation", targets: ["FuturesFoundation"]),
        .library(name: "FuturesTesting", targets: ["FuturesTesting"]),
        .executable(name: "linkcheck", targets: ["linkcheck"]),
    ],
    targets: [
        .target(name: "CFutures"),
        .target(
            name: "Futures", dependencies: ["CFutures"], path: isExploring ? "Sources" : nil,
            sources: isExploring ? ["Futures", "Exploring"] : nil, swiftSettings: coreSettings),
        .target(name: "FuturesDiagnostics", dependencies: ["Futures", "CFutures"], swiftSettings: publicImports),
        .target(name: "FuturesFoundation", dependencies: ["Futures"], swiftSettings: publicImports),
        .target(
            name: "FuturesTesting", dependencies: ["Futures", "FuturesDiagnostics"], swiftSettings: publicImports),
        .executableTarget(
            name: "linkcheck", dependencies: ["Futures", "FuturesDiagnostics", "FuturesFoundation"],
            swiftSettings: settings),
        .target(name: "CAllocations"),
        .executableTarget(
            name: "benchmarks", dependencies: ["Futures", "CAllocations"], swiftSettings: settings),
        // Run by the tests of `wait` that need the real main thread.
        .executableTarget(
            name: "TopLevel", dependencies: ["Futures", "FuturesDiagnostics"], path: "Tests/TopLevel",
            swiftSettings: settings),
        .testTarget(
            name: "FuturesTests", dependencies: ["Futures", "FuturesDiagnostics", "FuturesTesting", "CAllocations"],
            exclude: isReleaseTests ? debugOnly : [],
            swiftSettings: settings),
        // The program of the guide, run by the tests.
        .executableTarget(
            name: "FoundationDownload", dependencies: ["Futures", "FuturesFoundation"],
            path: "Tests/FoundationDownload", swiftSettings: settings),
        // One of several processes that the tests kill.
        .executableTarget(
            name: "FoundationLeases", dependencies: ["Futures"], path: "Tests/FoundationLeases",
            swiftSettings: settings),
        .testTarget(
            name: "FuturesFoundationTests",
            dependencies: ["Futures", "FuturesDiagnostics", "FuturesFoundation", "FuturesTesting"],
            swiftSettings: settings),
        .testTarget(name: "benchmarksTests", dependencies: ["benchmarks", "CAllocations"], swiftSettings: settings),
        .testTarget(name: "linkcheckTests", dependencies: ["linkcheck", "Futures"], swiftSettings: settings),
    ]
)

if isReleaseTests {
    let names = [
        "CFutures", "Futures", "FuturesDiagnostics", "FuturesTesting", "CAllocations", "benchmarks", "FuturesTests",
    ]
    package.products.removeAll { ["FuturesFoundation", "linkcheck"].contains($0.name) }
    package.targets.removeAll { !names.contains($0.name) }
}

if isExploring {
    package.products.removeAll()
    package.targets.removeAll { !["CFutures", "Futures"].contains($0.name) }
    // The explorer takes longer than the code that it explores, so it is optimized. The scenarios must not be: an
    // incremental build would leave copies of functions in them that are inlinable and have changed.
    let optimized = settings + [.unsafeFlags(["-O"])]
    package.targets += [
        .target(name: "Explorer", dependencies: ["Futures"], path: "Tests/Explorer", swiftSettings: optimized),
        .testTarget(name: "ExplorationTests", dependencies: ["Futures", "Explorer"], swiftSettings: settings),
    ]
}
