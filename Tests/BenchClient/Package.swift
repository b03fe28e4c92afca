// swift-tools-version: 6.3
import PackageDescription

// An app in a package of its own, which measures its modules; .ci/gate makes one of its factories a quarter slower.
let package = Package(
  name: "BenchClient",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "DependencyInjection", path: "../..")],
  targets: [
    .executableTarget(
      name: "ShopBench",
      dependencies: [
        .product(name: "DependencyInjection", package: "DependencyInjection"),
        .product(name: "DIBenchmarking", package: "DependencyInjection"),
      ],
      path: "ShopBench")
  ]
)
