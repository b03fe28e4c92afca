/// Runs each job of its tasks on a thread of its own, and knows when all tasks wait for something else, or have ended.
///
/// So a test can know that a task has begun to wait for a creation, which nothing else says.
final class CountingExecutor: TaskExecutor {
  private let jobs = Monitor(0)

  /// A Boolean value that indicates whether no job is running or about to run.
  var isIdle: Bool { jobs.change { $0 == 0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.change { $0 += 1 }
    startThread { [self] in
      // Sound: a job is handed to the executor to be run once, which happens here.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      jobs.change { $0 -= 1 }
    }
  }
}

/// Starts the jobs of an actor on threads of their own, one after the other, or holds them.
final class ThreadExecutor: SerialExecutor {
  private let jobs = Monitor<(isHeld: Bool, held: [UnownedJob])>((false, []))

  /// A Boolean value that indicates whether a job is held.
  var hasHeld: Bool { jobs.change { !$0.held.isEmpty } }

  /// Holds the jobs from now on.
  func hold() { jobs.change { $0.isHeld = true } }

  /// Starts the jobs that were held, and those that follow.
  func release() {
    let held = jobs.change { jobs in
      defer { jobs = (false, []) }
      return jobs.held
    }
    for job in held { start(job) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = jobs.change { jobs in
      if jobs.isHeld { jobs.held.append(job) }
      return jobs.isHeld
    }
    if !isHeld { start(job) }
  }

  private func start(_ job: UnownedJob) {
    // Sound: the executor was given the job, and runs it once; the test gives it no two at the same time.
    startThread { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}

/// Cancels the task that calls it.
func cancelCurrentTask() {
  // Sound: the task is used only while it runs this.
  unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
}
