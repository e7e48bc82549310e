"""A subject that decides, derives, certifies and compacts as docs/protocol.md and docs/rules.md say.

    python3 guard.py [--policy guard|joint] [--fault NAME] [--list-faults]

--fault plants one mistake that has been made in earnest, so that one can see the suite find it.
The rules are in guard_decide.py, guard_text.py and guard_compact.py, the faults in guard_faults.py.
"""

import argparse
import difflib
import sys

sys.dont_write_bytecode = True  # a guard leaves nothing behind in the folder that it is run from
import floorcheck
from guard_compact import Guard
from guard_faults import FAULTS


def main():
    parser = argparse.ArgumentParser(description="A subject for floorcheck that decides, derives, certifies and compacts correctly.")
    parser.add_argument("--policy", choices=["guard", "joint"], default="guard")
    parser.add_argument("--fault", metavar="NAME", help="plant one fault")
    parser.add_argument("--list-faults", action="store_true", help="print the faults' names and what they do")
    options = parser.parse_args()
    if options.list_faults:
        for name, guard_class in FAULTS.items():
            print(f"{name:<28}  {guard_class.description}")
        return
    if options.fault is not None and options.fault not in FAULTS:
        parser.error(unknown_fault(options.fault))

    guard = FAULTS.get(options.fault, Guard)(options.policy)
    floorcheck.serve(name="guard.py" + (f" --fault {options.fault}" if options.fault else ""), version="1",
                     policy=guard.policy, decide=guard.decide, derive=guard.derive, certify=guard.certify,
                     compact=guard.compact, validate=guard.validate)


def unknown_fault(name):
    close = difflib.get_close_matches(name, FAULTS, n=1, cutoff=0.0)
    return f"unknown fault {name!r}; did you mean {close[0]!r}? (--list-faults prints all)"


if __name__ == "__main__":
    main()
