"""The list of all pictures. A module in `topics` adds its own with the decorator."""
import importlib
from pathlib import Path

DRAWERS = {}


def picture(path):
    """Marks a function that gets the Data and returns the Picture of the file `path`, counted from the top folder."""
    def keep(draw):
        if path in DRAWERS:
            raise ValueError(f"two functions draw {path}")
        DRAWERS[path] = draw
        return draw
    return keep


def load():
    for module in sorted((Path(__file__).parent / "topics").glob("*.py")):
        importlib.import_module(f"topics.{module.stem}")
    return DRAWERS
