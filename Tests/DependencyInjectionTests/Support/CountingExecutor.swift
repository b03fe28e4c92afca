/// Runs each job of its tasks on a thread of its own, and tells when all tasks wait for something else, or have ended.
///
/// So a test can know that a task has begun to wait for a creation, which nothing else says.
final class CountingExecutor: TaskExecutor {
  private let jobs = Monitor(0)

  /// Whether no job is running or about to run.
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

/// Starts the jobs of an actor on threads of their own, one after the other.
final class ThreadExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
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
