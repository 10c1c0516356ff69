"""A notebook as Markdown: its texts, its cells as C++, what they print."""
import json
import re

FORMULA = re.compile(r"\$\$(?P<displayed>[^$]+)\$\$|\$(?P<inline>[^$]+)\$")


def github_form(match):
    """Jupyter protects the inside of $...$; GitHub's parser, which the site uses, does so in backticks only."""
    if match["displayed"]:
        return f"\n\n```math\n{match['displayed'].strip()}\n```\n\n"
    return "$`" + " ".join(match["inline"].split()) + "`$"


def fence(language, text):
    return f"```{language}\n{text.rstrip()}\n```\n" if text.strip() else ""


def markdown(text):
    made = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            made.append(FORMULA.sub(github_form, source) + "\n")
        elif cell["cell_type"] == "code":
            made.append(fence("cpp", source))
            made += [fence("text", "".join(output.get("text", output.get("data", {}).get("text/plain", "")))) for output in cell.get("outputs", [])]
    return "\n".join(made)
