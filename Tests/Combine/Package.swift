// swift-tools-version: 6.2
// The bridge to Combine where there is no Combine: the library and the bridge's tests (links) with a stand-in of Combine's shape.
//
//   .ci/run combine

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Futures",
    targets: [
        // As old as the real one: it knows nothing of `Sendable`.
        .target(name: "Combine", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "CFutures"),
        .target(name: "Futures", dependencies: ["CFutures", "Combine"], swiftSettings: settings),
        .testTarget(name: "CombineTests", dependencies: ["Futures", "Combine"], swiftSettings: settings),
    ])
