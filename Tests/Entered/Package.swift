// swift-tools-version: 6.3
import PackageDescription

// A program that `.ci/entered` counts, in a package of its own: a client has no more of the libraries than their products.
let package = Package(
  name: "entered",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "DependencyInjection", path: "../..")],
  targets: [
    .executableTarget(
      name: "entered",
      dependencies: [
        .product(name: "DependencyInjection", package: "DependencyInjection"),
        .product(name: "DITesting", package: "DependencyInjection"),
      ],
      path: ".", sources: ["main.swift", "Recording.swift"])
  ]
)
