// swift-tools-version: 6.3
import PackageDescription

// A program that `.ci/entered` counts, in a package of its own: a client has no more of the library than its product.
let package = Package(
  name: "entered",
  dependencies: [.package(name: "DependencyInjection", path: "../..")],
  targets: [
    .executableTarget(
      name: "entered", dependencies: [.product(name: "DependencyInjection", package: "DependencyInjection")],
      path: ".", sources: ["main.swift"])
  ]
)
