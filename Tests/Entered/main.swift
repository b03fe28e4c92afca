// Operations, each in a function of its own, in which `.ci/entered` counts what they enter.

import DITesting
import DependencyInjection

protocol Router: AnyObject {}
final class RouterImpl: Router {}
nonisolated(unsafe) var kept: AnyObject?

@inline(never) func registration() { DIContainer.register(Shared(RouterImpl() as any Router)) }
@inline(never) func firstShared() { kept = DIContainer.resolve((any Router).self) }
@inline(never) func warm() { kept = DIContainer.resolve((any Router).self) }
@inline(never) func recorded() { kept = DIContainer.resolve((any Router).self) }
@inline(never) func override() {
  DIContainer.withOverrides {
    New(RouterImpl() as any Router)
  } perform: {
    kept = DIContainer.resolve((any Router).self)
  }
}

// All of it is done before, so that the runtime creates nothing for the first time in the process.
let container = DIContainer()
container.register(Shared(RouterImpl() as any Router))
for _ in 0..<3 { kept = container.resolve((any Router).self) }
DIContainer.withCurrent(container) {
  DIContainer.withOverrides {
    New(RouterImpl() as any Router)
  } perform: {
    kept = DIContainer.resolve((any Router).self)
  }
}
for name in 0..<5 {
  DIContainer.register(Shared(RouterImpl() as any Router, named: DependencyName("\(name)")))
  kept = DIContainer.resolve((any Router).self, named: DependencyName("\(name)"))
}
registration()
firstShared()
warm()
override()
withIsolatedContainer {
  DIContainer.register(Shared(RouterImpl() as any Router))
  for _ in 0..<5 { kept = DIContainer.resolve((any Router).self) }
  recorded()
  if CommandLine.arguments.contains("--threads") { compareThreads() }
}
