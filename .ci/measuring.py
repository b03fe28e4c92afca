"""Builds programs that use the library, and counts what they do with valgrind's callgrind."""

import os, pathlib, re, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

def build(*options):
    """Builds with these options of `swift build`, and returns the folder of what was built."""
    command = ["swift", "build", *map(str, options)]
    if subprocess.run(command, cwd=ROOT, stdout=sys.stderr).returncode != 0:
        sys.exit(f"Error: '{' '.join(command)}' fails")
    shown = subprocess.run([*command, "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True)
    return pathlib.Path(shown.stdout.strip())

def run(*command, layout=0):
    """Runs a command and returns its output. Nothing differs from run to run or from checkout to checkout, neither hashes nor
    the size of the environment, which shifts memory by the bytes of the layout."""
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PADDING": "-" * layout, "SWIFT_DETERMINISTIC_HASHING": "1",
                   "SWIFT_BACKTRACE": "enable=no"}
    environment.update((name, os.environ[name]) for name in ["LD_LIBRARY_PATH"] if name in os.environ)
    result = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"Error: '{' '.join(map(str, command))}' ended with status {result.returncode}: {result.stderr.strip()[-200:]}")
    return result.stdout

def valgrind():
    return shutil.which("valgrind") or sys.exit(
        "Error: valgrind is not installed, and nothing else counts exactly: try 'apt-get install valgrind'")

def callgrind(profile, *command, layout=0):
    """Runs a command, after options of callgrind, which writes the file `profile`."""
    run(valgrind(), "--tool=callgrind", f"--callgrind-out-file={profile}", "--compress-strings=no", *command, layout=layout)

def read(profile):
    """Returns the instructions of a profile, its functions with their files, and its calls: caller, called and number."""
    functions, calls, last, text = set(), [], {}, pathlib.Path(profile).read_text(encoding="utf-8", errors="replace")
    for key, value in re.findall(r"(?m)^(fl|fn|cfn|calls|summary)[=:] ?(.*)", text):
        last[key] = value
        # A copy of memory has the file of what the linker has put before it.
        if key == "fn" and not value.startswith("__swift_memcpy"):
            functions.add((last["fl"], value))
        elif key == "calls":
            calls.append((last["fn"], last["cfn"], int(value.split()[0])))
    return int(last["summary"]), functions, calls
