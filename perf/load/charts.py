"""Charts of the reports: described here, drawn as SVG by `gateway plot`."""
import json, os, subprocess

from gateway import JAR, find_jdk
from processes import CannotMeasure
from stats import median


def bar(name, values, words, ours=False):
    """One value, or those of the rounds: their median is drawn, and from the least to the most."""
    values = values if isinstance(values, list) else [values]
    return {"name": name, "value": median(values), "low": min(values), "high": max(values), "words": words, "ours": ours}


def bars(title, unit, drawn):
    return {"title": title, "unit": unit, "bars": drawn}


def lines(title, across, up, series):
    """`series` is {name: [(x, y)]} or {name: [(x, y, least, most)]}."""
    return {"title": title, "across": across, "up": up,
            "lines": [{"name": name, "points": [dict(zip(("x", "y", "low", "high"), point)) for point in points]} for name, points in series.items()]}


def draw(folder, charts):
    """Writes {file: chart} into the folder."""
    if not charts:
        return
    if not os.path.exists(JAR):
        raise CannotMeasure("charts are drawn by gateway-app/target/gateway-app.jar, which is not there: mvn -DskipTests package")
    command = [f"{find_jdk()}/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", JAR, "plot", f"--output={folder}"]
    done = subprocess.run(command, input=json.dumps(charts), capture_output=True, text=True)
    if done.returncode:
        raise CannotMeasure(f"charts cannot be drawn: {done.stderr.strip()}")
