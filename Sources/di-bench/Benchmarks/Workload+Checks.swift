internal import DIBenchmarking
internal import DependencyInjection

// The loops. They are always inlined, so that the optimizer sees through a loop and its closure.

extension Workload {
  /// Counts the wrong results of a closure, which does all operations.
  @inline(__always) static func counting(
    registrations: Int? = ContainerProvider.registrationCount, creating instances: Int? = nil,
    _ what: String = "returned something other than expected",
    _ body: @escaping @Sendable (_ operations: Int, _ thread: Int) -> Int
  ) -> Workload {
    Workload(registrations: registrations) { operations, thread throws(Violation) in
      let before = InstanceCount.current
      let wrong = body(operations, thread)
      if wrong > 0 { throw .wrong(wrong, of: operations, what) }
      guard let instances else { return }
      let created = InstanceCount.current - before
      if created != operations * instances {
        throw Violation(message: "\(created) instances were created, expected \(operations * instances)")
      }
    }
  }

  /// Repeats a closure that has nothing to check.
  @inline(__always) static func repeating(_ body: @escaping @Sendable () -> Void) -> Workload {
    counting(registrations: 0) { count, _ in
      for _ in 0..<count { body() }
      return 0
    }
  }

  /// Resolves an instance that is the same every time, on all threads and in all samples.
  @inline(__always) static func same<Value: Equatable & Sendable>(
    registrations: Int? = ContainerProvider.registrationCount, _ resolve: @escaping @Sendable () -> Value
  ) -> Workload {
    let expected = resolve()
    return counting(registrations: registrations, "returned another instance or value of what is shared") { count, _ in
      var wrong = 0
      for _ in 0..<count where resolve() != expected { wrong &+= 1 }
      return wrong
    }
  }

  @inline(__always) static func newest(_ resolve: @escaping @Sendable () -> any Item) -> Workload {
    counting(creating: 1, "returned an instance that is not the newest") { count, _ in
      let before = InstanceCount.current
      var wrong = 0
      for index in 1...count where resolve().number != before &+ index { wrong &+= 1 }
      return wrong
    }
  }

  /// Resolves new instances, with different arguments each time.
  @inline(__always) static func labelled(_ resolve: @escaping @Sendable (_ id: Int, _ name: String) -> any Labelled)
    -> Workload
  {
    counting(creating: 1, "returned an old instance or one with other arguments") { count, thread in
      // Too long to be stored inline, and one per thread, so that its reference count is not shared.
      let name = "the name that thread \(thread) passes"
      let before = InstanceCount.current
      var wrong = 0
      for id in 1...count {
        let instance = resolve(id, name)
        if instance.id != id || instance.number != before &+ id || instance.name != name { wrong &+= 1 }
      }
      return wrong
    }
  }

  /// Resolves new instances, each of which resolves three existing ones.
  @inline(__always) static func viewModels(_ resolve: @escaping @Sendable () -> any ViewModel) -> Workload {
    let expected = resolve().parts
    return counting("returned an old instance or one with other parts") { count, _ in
      // The previous one is kept, so that a new one has another address.
      var previous = resolve()
      var wrong = 0
      for _ in 0..<count {
        let model = resolve()
        if model.identity == previous.identity || model.parts != expected { wrong &+= 1 }
        previous = model
      }
      return wrong
    }
  }

  /// Resolves chains of new instances, each of which resolves the next.
  @inline(__always) static func chains(_ resolve: @escaping @Sendable () -> Chain.Last) -> Workload {
    counting("returned a chain that is not \(Chain.depth) deep, or an old part of one") { count, _ in
      // The previous one is kept, so that a new one has another address.
      var previous = resolve()
      var wrong = 0
      for _ in 0..<count {
        let chain = resolve()
        if chain.depth != Chain.depth || chain === previous || chain.next === previous.next { wrong &+= 1 }
        previous = chain
      }
      return wrong
    }
  }

  /// Resolves the one instance of a type that only this thread asks for, as long as there are no more than four threads.
  @inline(__always) static func perThread(
    _ first: @escaping @Sendable () -> any ThreadServiceA, _ second: @escaping @Sendable () -> any ThreadServiceB,
    _ third: @escaping @Sendable () -> any ThreadServiceC, _ fourth: @escaping @Sendable () -> any ThreadServiceD
  ) -> Workload {
    let expected = [first().identity, second().identity, third().identity, fourth().identity]
    return counting("returned an instance other than this thread's") { count, thread in
      let expected = expected[thread % 4]
      var wrong = 0
      // Written out, so that each operation is the resolution and nothing else.
      switch thread % 4 {
      case 0: for _ in 0..<count where first().identity != expected { wrong &+= 1 }
      case 1: for _ in 0..<count where second().identity != expected { wrong &+= 1 }
      case 2: for _ in 0..<count where third().identity != expected { wrong &+= 1 }
      default: for _ in 0..<count where fourth().identity != expected { wrong &+= 1 }
      }
      return wrong
    }.with { workload in
      workload.finish = { () throws(Violation) in
        if Set(expected).count != 4 { throw Violation(message: "different types have the same instance") }
      }
    }
  }

  /// Resolves an instance that is the same every time and, at intervals, overrides something else.
  @inline(__always) static func mixed(
    every interval: Int, _ override: @escaping @Sendable (Int) -> Void,
    _ resolve: @escaping @Sendable () -> ObjectIdentifier
  ) -> Workload {
    let expected = resolve()
    return counting("returned another instance of a shared class") { count, _ in
      var wrong = 0
      for index in 1...count {
        if index.isMultiple(of: interval) { override(index) } else if resolve() != expected { wrong &+= 1 }
      }
      return wrong
    }
  }

  /// Returns the workload with one more thread, which registers an instance with another number as fast as it can.
  ///
  /// It resolves the instance and compares the number each time, or only at the end.
  func withBackground(
    by override: @escaping @Sendable (Int) -> Void, checkingEach checksEach: Bool,
    _ number: @escaping @Sendable () -> Int
  ) -> Workload {
    with {
      $0.background = { isNeeded throws(Violation) in
        // One at a time in the process, because all of them override the same type of the same container.
        try oneWriter.withLock { _ throws(Violation) in
          var revision = 0
          var wrong = 0
          repeat {
            revision &+= 1
            override(revision)
            if checksEach, number() != revision { wrong &+= 1 }
          } while isNeeded()
          if number() != revision { wrong &+= 1 }
          if wrong > 0 { throw .wrong(wrong, of: revision, "returned what had been overridden") }
        }
      }
    }
  }
}

/// Held by the loop that overrides.
private let oneWriter = Locked(())
