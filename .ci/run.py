"""Checks everything, fast checks first, and starts no other stage once one has failed.

  .ci/run             all stages but those to ask for, in two lanes, because few keep two cores busy
  .ci/run docs bench  these stages, in this order

.ci/stages has the stages. The output of each goes to .build/ci/<stage>.log, and to the terminal in the end if it fails.
Needs Swift (with swift-format and docc, which come with it), python3 and, on Linux, valgrind; says what it leaves out.
"""

import concurrent.futures, os, pathlib, re, shutil, signal, subprocess, sys, time

FIRST = ["format", "snippets", "imports"]
# These build in .build, where one process at a time can.
LANE = ["tests", "parallel", "linking", "errors", "api", "docs"]
# These build in folders of their own, the longest first. Both lanes take from them.
SHARED = ["sanitizer", "costs", "bench", "page", "apple", "size", "readme", "entered"]
# These run when they are asked for: in jobs of their own, or every night.
ASKED = ["addresses", "isolation", "gate", "simulator"]
# These have to run tests.
TESTS = ["tests", "parallel", "readme", "simulator", "sanitizer", "addresses", "isolation"]
# The seconds after which a stage hangs.
LIMIT, LIMITS = 1800, {"isolation": 7200, "gate": 14400}
SANITIZER = "WARNING: ThreadSanitizer|ERROR: AddressSanitizer"

ROOT = pathlib.Path(__file__).resolve().parent.parent
logs = ROOT / ".build/ci"
running, begun, results = [], {}, []

def descendants(process):
    """The processes that a process has started, and those that they have started."""
    children = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True).stdout.split()
    return children + [below for child in children for below in descendants(child)]

def end(process, output=None):
    """Ends a stage with its processes; says where their threads are, if there is a debugger and somewhere to say it."""
    below = descendants(process.pid)
    for pid in below if output and shutil.which("gdb") else []:
        subprocess.run(["timeout", "60", "gdb", "-p", pid, "-batch", "-ex", "thread apply all bt 40"], stdout=output, stderr=output)
    subprocess.run(["kill", "-9", str(process.pid), *below], stderr=subprocess.DEVNULL)

def run(name):
    """Runs one stage and counts its tests."""
    begin, log, note, tests, failed = time.monotonic(), logs / f"{name}.log", "", 0, 0
    with log.open("w+") as output:
        process = subprocess.Popen([ROOT / ".ci/stages", name], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        running.append(process)
        try:
            status = process.wait(LIMITS.get(name, LIMIT))
            problem = f"exit status {status}" if status else ""
        except subprocess.TimeoutExpired:
            problem = f"it hangs, after the line {log.read_text(errors='replace').splitlines()[-1:]}"
            end(process, output)
    text = log.read_text(errors="replace")
    if re.fullmatch("skipped: .*\n", text):
        note = f", {text.strip()}"
    elif name in TESTS:
        # XCTest prints totals for each suite, the largest last, and Swift Testing one total.
        tests = sum(map(int, re.findall(r"Test run with (\d+) tests?", text)))
        tests += int((re.findall(r"Executed (\d+) tests?, with", text) or [0])[-1])
        failed = len(re.findall(r"(?m)^(?:\S+ Test (?!run with|case passing ).* failed after |Test Case .* failed \()", text))
        note = f", {tests} tests"
        problem = problem or ("no test ran" if tests == 0 else f"{failed} tests failed" if failed else "")
    if re.search(SANITIZER, text):
        problem = "a report of a sanitizer"
    results.append((name, max(tests - failed, 0), failed or (1 if problem else 0), problem))
    verdict = f"FAILED: {problem}" if problem else "ok"
    print(f"== {name:10} {verdict}, {time.monotonic() - begin:.0f} s{note}", flush=True)

def run_all(names):
    """Runs stages one after the other that no other lane has begun, until one has failed."""
    for name in names:
        if not any(problem for *_, problem in results) and begun.setdefault(name, names) is names:
            run(name)

def main(stages):
    if unknown := set(stages) - set(every := FIRST + LANE + SHARED + ASKED):
        sys.exit(f"There is no stage '{unknown.pop()}', only: {' '.join(every)}")
    begin = time.monotonic()
    logs.mkdir(parents=True, exist_ok=True)
    run_all(stages or FIRST)
    if not stages:
        lanes = concurrent.futures.ThreadPoolExecutor(2)
        for lane in [lanes.submit(run_all, LANE + SHARED), lanes.submit(run_all, SHARED)]:
            lane.result()
    for name, problem in [(name, problem) for name, _, _, problem in results if problem]:
        text = (logs / f"{name}.log").read_text(errors="replace")
        # Failures once more at the end, because a log is long, and what shows it may keep the end only.
        failures = re.findall(rf"(?m)^.*(?:✘|error:|Fatal error|{SANITIZER}|^Test Case .* failed).*", text)[-20:]
        print(f"\n{text}\nWhat it says of failures:", *failures, sep="\n")
        print(f'\nThe stage "{name}" failed: {problem}. The output above is in .build/ci/{name}.log.')
    print(f"{time.monotonic() - begin:.0f} s in all")
    print(f"{sum(row[1] for row in results)} passed, {sum(row[2] for row in results)} failed")
    return any(problem for *_, problem in results)

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main(sys.argv[1:]))
    finally:
        for process in [process for process in running if process.poll() is None]:
            end(process)
