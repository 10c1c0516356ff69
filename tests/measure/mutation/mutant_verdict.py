"""Which judge rejected a mutant, from the exit status of its test binary, a sanitizer's output, and Catch2's report in XML. The
report has the same elements in Catch2 2 and 3."""
import re
import sys
from xml.etree import ElementTree

JUDGED_IN = "support/expect.hpp"  # a failed CHECK there is a judge's; the INFO line before it names the judge
JUDGE = re.compile(r".* on [^,]+, ([a-z ]+)[,:]", re.S)


def who(status, said, report):
    """Which judge it was; "" if the binary did not fail. `report` is the file that Catch2 wrote."""
    if status == 0:
        return ""
    if "WARNING: ThreadSanitizer" in said:
        return "race detector"
    if "ERROR: AddressSanitizer" in said:
        return "bounds detector"
    if status in (-9, -24):
        return "time"
    if status < 0 or "DEADLYSIGNAL" in said:
        return "crash"
    try:
        return objection(ElementTree.parse(report).getroot())
    except (OSError, ElementTree.ParseError, ValueError) as error:
        sys.exit(f"mutants: a test failed (exit status {status}), and its report cannot be read: {report}: {error}")


def objection(run):
    """The same from the report of a binary that did not crash. ValueError if the report names nothing that failed."""
    if next(run.iter("FatalErrorCondition"), None) is not None:
        return "crash"
    if next(run.iter("Exception"), None) is not None:
        return "host layer"
    failed = next((check for check in run.iter("Expression") if check.get("success") == "false"), None)
    if failed is None:
        if next(run.iter("Failure"), None) is None:
            raise ValueError("it names nothing that failed")
        return "own test"
    if not failed.get("filename", "").endswith(JUDGED_IN) or failed.get("type") != "CHECK":
        return "own test"
    information = [line.text or "" for line in run.iter("Info")][-1:]
    judge = JUDGE.match(information[0].strip()) if information else None
    if not judge:
        raise ValueError(f"tests/{JUDGED_IN} names no judge in {information}: it says '... on DEVICE, JUDGE, ...'")
    return judge[1]
