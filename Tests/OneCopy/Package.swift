// swift-tools-version: 6.3
import PackageDescription

// An app and a library that it loads, which share one copy of the package, and of which each links a copy of a module of
// protocols. `.ci/run linking` runs the app and looks at what it prints.
let package = Package(
  name: "OneCopy",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "App", targets: ["App"]),
    .library(name: "Plugin", type: .dynamic, targets: ["Plugin"]),
  ],
  dependencies: [.package(path: "Core")],
  targets: [
    .executableTarget(name: "App", dependencies: ["Interfaces", .product(name: "Core", package: "Core")]),
    .target(name: "Plugin", dependencies: ["Interfaces", .product(name: "Core", package: "Core")]),
    .target(name: "Interfaces"),
  ]
)
