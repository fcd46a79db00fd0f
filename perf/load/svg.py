"""Line and bar charts as SVG files that read well on light and dark pages: a card of their own behind, colours for both."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM = 720, 400, 84, 24, 58
COLOURS = ["#2f7ed8", "#e8743b", "#19a979", "#945ecf", "#d43d51", "#8c8c2a", "#13a4b4", "#b0628f"]
STYLE = """text{font-family:system-ui,sans-serif;font-size:13px;fill:#24292f}.title{font-size:16px;font-weight:600}
.card{fill:#fff;stroke:#d0d7de}.grid{stroke:#d8dee4;stroke-width:1}.axis{stroke:#6e7781;stroke-width:1}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.card{fill:#161b22;stroke:#30363d}.grid{stroke:#30363d}.axis{stroke:#8b949e}}"""


def ticks(highest, wanted=5):
    """Round steps from 0 to the first at or over the highest value."""
    if highest <= 0:
        return [0, 1]
    rough = highest / wanted
    power = 10 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough * 0.999)
    return [step * i for i in range(math.ceil(highest / step - 1e-9) + 1)]


def number(value):
    if value >= 1e6:
        return f"{value / 1e6:g} M"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:g}"


def _document(title, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">\n<style>{STYLE}</style>\n'
            f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>\n'
            f'{text(16, 28, title, "title")}\n' + "\n".join(parts) + "\n</svg>\n")


def text(x, y, words, kind="", anchor="start", turn=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"' + (f' class="{kind}"' if kind else "") +
            (f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else "") + f">{escape(words)}</text>")


def _legend(names):
    """Colours with their names, in as many rows as they need; also where the rows end."""
    parts, x, y = [], 16, 42
    for index, name in enumerate(names):
        wide = 34 + 7.4 * len(name)
        if x + wide > WIDTH - 8 and x > 16:
            x, y = 16, y + 20
        parts.append(f'<rect x="{x:.1f}" y="{y}" width="12" height="12" rx="2" fill="{COLOURS[index % len(COLOURS)]}"/>')
        parts.append(text(x + 18, y + 11, name))
        x += wide
    return parts, y + 30


def lines(title, x_label, y_label, series):
    """`series` is {name: [(x, y)]}; the x values are spaced evenly, as connections are."""
    places = sorted({x for points in series.values() for x, _ in points})
    steps = ticks(max((y for points in series.values() for _, y in points), default=0))
    parts, top = _legend(series)
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def across(x):
        return LEFT + (right - LEFT) * (places.index(x) + 0.5) / len(places)

    def up(y):
        return bottom - (bottom - top) * y / steps[-1]

    for step in steps:
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{up(step):.1f}" y2="{up(step):.1f}"/>')
        parts.append(text(LEFT - 8, up(step) + 4, number(step), anchor="end"))
    parts += [text(across(x), bottom + 20, number(x), anchor="middle") for x in places]
    parts.append(f'<line class="axis" x1="{LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}"/>')
    parts.append(text((LEFT + right) / 2, HEIGHT - 14, x_label, anchor="middle"))
    parts.append(text(20, (top + bottom) / 2, y_label, anchor="middle", turn="-90"))
    for index, points in enumerate(series.values()):
        colour, points = COLOURS[index % len(COLOURS)], sorted(points)
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2.5" points="{path}"/>')
        parts += [f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="4" fill="{colour}"/>' for x, y in points]
    return _document(title, HEIGHT, parts)


def bars(title, unit, values):
    """`values` is [(name, number)] or [(name, number, words)]: horizontal bars from 0, negative ones to the left."""
    wide = min(300, 24 + max(len(entry[0]) for entry in values) * 7.4)
    numbers = [entry[1] for entry in values]
    lowest, highest = min(0, *numbers), max(0, *numbers) or 1
    row, height = 28, 64 + 28 * len(values) + 34

    def across(value):
        return wide + (WIDTH - wide - 150) * (value - lowest) / (highest - lowest)

    parts = []
    for index, (name, value, *words) in enumerate(values):
        y, (start, end) = 52 + row * index, sorted((across(0), across(value)))
        parts.append(text(wide - 10, y + 15, name, anchor="end"))
        parts.append(f'<rect x="{start:.1f}" y="{y}" width="{max(1, end - start):.1f}" height="20" rx="3" fill="{COLOURS[0]}"/>')
        parts.append(text(end + 8, y + 15, words[0] if words else number(value)))
    parts.append(f'<line class="axis" x1="{across(0):.1f}" x2="{across(0):.1f}" y1="48" y2="{52 + row * len(values)}"/>')
    parts.append(text(wide, height - 14, unit))
    return _document(title, height, parts)
