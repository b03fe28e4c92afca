// swift-tools-version: 6.3
import PackageDescription

/// Makes warnings errors, where the package checks itself: a client that builds it from a folder gets warnings at most.
let strictness: [SwiftSetting] = Context.environment["DI_STRICT"] != nil ? [.treatAllWarnings(as: .error)] : []

/// The settings every target shares: nothing unsafe, unchecked or deprecated passes unnoticed.
let settings: [SwiftSetting] =
  [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
  ] + strictness

/// The settings of a new Xcode project, in every language mode.
let newProject: [SwiftSetting] = [
  .defaultIsolation(MainActor.self),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Replaces what the thread sanitizer does not understand.
let isThreadSanitized = Context.environment["DI_TSAN"] != nil

let package = Package(
  name: "DependencyInjection",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "DependencyInjection", targets: ["DependencyInjection"]),
    .library(name: "DITesting", targets: ["DITesting"]),
    .library(name: "DISwiftUI", targets: ["DISwiftUI"]),
    // Younger than the rest: its API may still change in a minor version.
    .library(name: "DIBenchmarking", targets: ["DIBenchmarking"]),
    .executable(name: "di-bench", targets: ["di-bench"]),
  ],
  targets: [
    .target(name: "DependencyInjection", exclude: ["DISwiftUI"]),
    // Property wrappers and previews; on Linux, only what needs no SwiftUI.
    .target(name: "DISwiftUI", dependencies: ["DependencyInjection"], path: "Sources/DependencyInjection/DISwiftUI"),
    .target(name: "DITesting", dependencies: ["DependencyInjection"]),
    // Measures scenarios: those of `di-bench`, and those that it makes from the modules of an app.
    .target(name: "DIBenchmarking", dependencies: ["DependencyInjection"], path: "Sources/di-bench/DIBenchmarking"),
    .executableTarget(
      name: "di-bench",
      dependencies: ["DependencyInjection", "DIBenchmarking", "DIStressChecks"],
      exclude: ["DIBenchmarking"]),
    .testTarget(name: "DependencyInjectionTests", dependencies: ["DependencyInjection", "DITesting"]),
    .testTarget(name: "DITestingTests", dependencies: ["DITesting"]),
    .testTarget(
      name: "DISwiftUITests", dependencies: ["DISwiftUI", "SwiftUIStandIns", "DependencyInjection", "DITesting"]),
    .testTarget(name: "DIBenchTests", dependencies: ["DIBenchmarking", "di-bench", "ExampleBench", "NoisyBench"]),
    // A benchmark whose operations print.
    .executableTarget(
      name: "NoisyBench", dependencies: ["DIBenchmarking", "DependencyInjection"], path: "Tests/NoisyBench"),
    .testTarget(name: "Swift5ClientTests", dependencies: ["DependencyInjection", "DITesting"]),
    .target(name: "NewProjectApp", dependencies: ["DependencyInjection"], path: "Tests/NewProjectApp"),
    .testTarget(name: "NewProjectTests", dependencies: ["NewProjectApp", "DependencyInjection", "DITesting"]),
    // The same files, by symbolic links.
    .target(name: "NewProjectSwift5App", dependencies: ["DependencyInjection"], path: "Tests/NewProjectSwift5App"),
    .testTarget(
      name: "NewProjectSwift5Tests", dependencies: ["NewProjectSwift5App", "DependencyInjection", "DITesting"]),
    // The code of the README and of the articles, which `.ci/snippets` compares with them.
    .testTarget(
      name: "SnippetTests",
      dependencies: [
        "DependencyInjection", "DITesting", "DISwiftUI", "SwiftUIStandIns", "ExampleInterfaces", "ExampleApp",
      ]),
    // SwiftUI as far as the tests need it on Linux, and DISwiftUI on top of that.
    .target(name: "SwiftUIStandIns", dependencies: ["DependencyInjection"], path: "Tests/SwiftUIStandIns"),
    // The snippets that change a whole process.
    .executableTarget(name: "SnippetApp", dependencies: ["DependencyInjection"], path: "Tests/SnippetApp"),
    // Resolves and verifies what is isolated to actors; `.ci/run` links it dynamically and statically, and optimizes it.
    .executableTarget(name: "IsolationApp", dependencies: ["DependencyInjection"], path: "Tests/IsolationApp"),
    // A small app of several modules, as a user might build it; the article on modules is about it.
    .target(name: "ExampleInterfaces", dependencies: ["DependencyInjection"], path: "Tests/Example/Interfaces"),
    .target(
      name: "ExampleBrowsing", dependencies: ["DependencyInjection", "ExampleInterfaces"],
      path: "Tests/Example/Browsing"),
    .target(
      name: "ExampleOrdering", dependencies: ["DependencyInjection", "ExampleInterfaces"],
      path: "Tests/Example/Ordering"),
    .target(
      name: "ExampleApp",
      dependencies: ["DependencyInjection", "ExampleInterfaces", "ExampleBrowsing", "ExampleOrdering"],
      path: "Tests/Example/App"),
    // The benchmark of that app.
    .executableTarget(
      name: "ExampleBench", dependencies: ["DIBenchmarking", "DependencyInjection", "ExampleInterfaces", "ExampleApp"],
      path: "Tests/Example/Bench"),
    .testTarget(
      name: "ExampleTests",
      dependencies: ["ExampleInterfaces", "ExampleBrowsing", "ExampleOrdering", "ExampleApp", "DITesting"],
      path: "Tests/Example/Tests"),
    // Races threads on a container; `di-bench stress` runs it for as long as somebody wants.
    .target(name: "DIStressChecks", dependencies: ["DependencyInjection", "DIBenchmarking"], path: "Tests/Stress"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = settings
  if isThreadSanitized { target.swiftSettings?.append(.define("DI_TSAN")) }
}

// Of an optimized build for tests, only the core is optimized. In debug builds, it would ask for metadata and global variables
// under a lock, which the thread sanitizer would take for what orders the accesses of the core itself. To optimize the tests
// takes minutes, and Swift 6.3.1 crashes at some of them.
if isThreadSanitized || Context.environment["DI_OPTIMIZE"] == "core" {
  for target in package.targets where target.name != "DependencyInjection" {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
  }
}

package.targets.first { $0.name == "SwiftUIStandIns" }?.swiftSettings?.append(.define("SWIFTUI_STAND_INS"))

// To declare a function of the runtime as the standard library does; in Support/ExecutorCheck.swift.
package.targets.first { $0.name == "DependencyInjection" }?.swiftSettings?.append(
  .enableExperimentalFeature("BuiltinModule"))

// Readers paste the snippets and the example into targets with the default settings, so that is how they compile here.
for target in package.targets where target.name.hasPrefix("Snippet") || target.name.hasPrefix("Example") {
  target.swiftSettings = strictness
}

// A client that has not moved to Swift 6 yet: the call sites compile there as they stand.
package.targets.first { $0.name == "Swift5ClientTests" }?.swiftSettings = [.swiftLanguageMode(.v5)]

// Apps and their tests with the settings of a new Xcode project: the default isolation, and the features of approachable
// concurrency that the language mode does not have anyway.
for target in package.targets where target.name.hasPrefix("NewProject") {
  target.swiftSettings = newProject
  guard target.name.contains("Swift5") else {
    target.swiftSettings?.append(contentsOf: strictness)
    continue
  }
  target.swiftSettings?.append(contentsOf: [
    .swiftLanguageMode(.v5),
    .enableUpcomingFeature("DisableOutwardActorInference"),
    .enableUpcomingFeature("GlobalActorIsolatedTypesUsability"),
    .enableUpcomingFeature("InferSendableFromCaptures"),
  ])
}

// The targets to build, if not all of them: a sanitizer tests the libraries only, and a simulator starts no processes.
if let names = Context.environment["DI_TARGETS"]?.split(separator: " ").map({ String($0) }) {
  package.targets.removeAll { !names.contains($0.name) }
  package.products.removeAll { !names.contains($0.name) }
}
