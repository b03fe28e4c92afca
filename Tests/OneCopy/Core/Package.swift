// swift-tools-version: 6.3
import PackageDescription

// The library as a dynamic one, so that everything in a process that links this one has the same copy.
let package = Package(
  name: "Core",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Core", type: .dynamic, targets: ["Core"])],
  dependencies: [.package(name: "DependencyInjection", path: "../../..")],
  targets: [
    .target(name: "Core", dependencies: [.product(name: "DependencyInjection", package: "DependencyInjection")])
  ]
)
