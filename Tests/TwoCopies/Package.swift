// swift-tools-version: 6.3
import PackageDescription

// An app and a library that it loads, of which each links a copy of the package: what a test bundle and its host app are
// if both link it. `.ci/run linking` runs the app and looks at what it prints.
let package = Package(
  name: "TwoCopies",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "App", targets: ["App"]),
    .library(name: "Plugin", type: .dynamic, targets: ["Plugin"]),
  ],
  dependencies: [.package(name: "DependencyInjection", path: "../..")],
  targets: [
    .executableTarget(
      name: "App", dependencies: [.product(name: "DependencyInjection", package: "DependencyInjection")]),
    .target(name: "Plugin", dependencies: [.product(name: "DependencyInjection", package: "DependencyInjection")]),
  ]
)
