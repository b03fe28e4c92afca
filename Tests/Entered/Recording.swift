import DITesting
import DependencyInjection
import Foundation

/// Compares how many resolutions one thread and two threads record in the same time.
func compareThreads() {
  for _ in 1...5 {
    let one = rate(of: 1, inOneContainer: true)
    let inOne = rate(of: 2, inOneContainer: true) / one
    let inTwo = rate(of: 2, inOneContainer: false) / one
    print(String(format: "two threads: %.2f times in one container, %.2f times in two", inOne, inTwo))
  }
}

/// Returns the number of resolutions that are recorded in a second.
private func rate(of threads: Int, inOneContainer: Bool) -> Double {
  let (count, done) = (3000, DispatchGroup())
  let work = DIContainer.escaping {
    DIContainer.withCurrent(inOneContainer ? .current : DIContainer(copying: .current)) {
      for _ in 0..<count { _ = DIContainer.resolve((any Router).self) }
    }
  }
  let time = ContinuousClock().measure {
    for _ in 0..<threads {
      done.enter()
      Thread.detachNewThread {
        work()
        done.leave()
      }
    }
    done.wait()
  }
  return Double(threads * count) / (time / .seconds(1))
}
