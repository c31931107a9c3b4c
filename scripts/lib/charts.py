#!/usr/bin/env python3
"""Draws charts as SVG: charts.py NAME.charts.json...

The only chart writer of the project. The k6 reports (loadtest/lib/charts.js) and the benchmarks (MgbaBridge.Measurement/Charts.cs) write descriptions;
each SVG is created beside its description. A description is a list of charts:

    {"type": "line", "file": "x.svg", "title": "", "subtitle": "", "x": "axis label", "y": "axis label or unit",
     "log": false,                          # logarithmic vertical axis
     "from": 0, "to": 100,                  # range of a linear axis; default: 0 to the highest value
     "ticks": [[1, "first"], [2, "last"]],  # texts of the horizontal axis; default: the x values of all points
     "series": [{"name": "", "points": [[x, y]], "dashed": false}]}

    {"type": "stacked", "file": "x.svg", "title": "", "subtitle": "", "parts": ["legend"],
     "bars": [{"name": "", "total": "text behind the bar", "parts": [1.5]}]}   # bars have equal lengths
"""
import json
import math
import pathlib
import sys
from html import escape

INK, GRID = "#333333", "#dddddd"
LINE_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555"]
BAR_COLOURS = ["#0072b2", "#d55e00", "#9fd8c4", "#dddddd"]
BAR_INKS = ["#ffffff", "#ffffff", INK, INK]
TICK_WIDTH, NAME_HEIGHT, MAX_STEPS = 34, 15, 7


def number(value):
    """A coordinate with one digit after the point at most."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def short(value):
    return f"{value / 1000:g}k" if value >= 1000 and value % 100 == 0 else f"{value:.3g}"


def page(width, height, chart, lines):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="sans-serif" font-size="12" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="24" font-size="15" font-weight="bold">{escape(chart["title"])}</text>',
        f'<text x="16" y="44">{escape(chart["subtitle"])}</text>',
        *lines, "</svg>", ""])


def scale(values, start, end, log):
    """A function from a value to its coordinate."""
    place = math.log10 if log else float
    low, high = (place(min(values)), place(max(values))) if values else (0, 0)
    return lambda value: start + (place(value) - low) / (high - low) * (end - start) if high > low else (start + end) / 2


def powers(values):
    low = math.floor(math.log10(min(values, default=1)))
    high = max(math.ceil(math.log10(max(values, default=1))), low + 1)
    return [10.0 ** power for power in range(low, high + 1)]


def steps(start, end):
    span = max(end - start, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / MAX_STEPS))
    step = next(factor * power for factor in (1, 2, 5, 10) if span / (factor * power) <= MAX_STEPS)
    return [start + i * step for i in range(math.ceil(span / step - 1e-9) + 1)]


def line_chart(chart):
    log = chart.get("log", False)
    series = [{**one, "points": [point for point in one["points"] if point[1] > 0 or not log]} for one in chart["series"]]
    series = [{**one, "colour": LINE_COLOURS[i % len(LINE_COLOURS)]} for i, one in enumerate(series) if one["points"]]
    points = [point for one in series for point in one["points"]]
    ticks = sorted(dict(map(tuple, chart["ticks"])).items()) if chart.get("ticks") else [(x, short(x)) for x in sorted({point[0] for point in points})]
    xs, ys = [x for x, _ in ticks], [y for _, y in points]
    marks = powers(ys) if log else steps(chart.get("from", 0), chart.get("to") or max(ys, default=1))

    width, height, left, top, bottom = 760, 420, 64, 76, 52
    right = max(96, 24 + 7.2 * max((len(one["name"]) for one in series), default=0))
    across = scale(xs, left, width - right, bool(xs) and min(xs) > 0 and max(xs) > 20 * min(xs))
    up = scale(marks, height - bottom, top, log)
    lines = []
    for mark in marks:
        y = up(mark)
        lines.append(f'<line x1="{left}" x2="{width - right}" y1="{number(y)}" y2="{number(y)}" stroke="{GRID}"/>'
                     f'<text x="{left - 8}" y="{number(y + 4)}" text-anchor="end">{short(mark)}</text>')
    last = -math.inf
    for x, text in ticks:
        if across(x) - last >= TICK_WIDTH:  # skip labels that would overlap
            last = across(x)
            lines.append(f'<text x="{number(last)}" y="{height - bottom + 18}" text-anchor="middle">{escape(text)}</text>')
    lines.append(f'<text x="{number((left + width - right) / 2)}" y="{height - 12}" text-anchor="middle">{escape(chart["x"])}</text>')
    lines.append(f'<text x="{left - 8}" y="{top - 10}" text-anchor="end">{escape(chart["y"])}</text>')
    lines += [polyline(one, across, up) for one in series]
    lines += names(series, across, up)
    return page(width, height, chart, lines)


def polyline(one, across, up):
    places = [(number(across(x)), number(up(y))) for x, y in one["points"]]
    dash, dots = (' stroke-dasharray="6 4"', []) if one.get("dashed") else \
        ("", [f'<circle cx="{x}" cy="{y}" r="3" fill="{one["colour"]}"/>' for x, y in places])
    line = " ".join(f"{x},{y}" for x, y in places)
    return f'<polyline fill="none" stroke="{one["colour"]}" stroke-width="2"{dash} points="{line}"/>' + "".join(dots)


def names(series, across, up):
    """The name of each line behind its last point, moved down where two would overlap."""
    last = -math.inf
    for one in sorted(series, key=lambda one: up(one["points"][-1][1])):
        x, y = one["points"][-1]
        last = max(up(y), last + NAME_HEIGHT)
        yield f'<text x="{number(across(x) + 8)}" y="{number(last + 4)}" fill="{one["colour"]}" font-weight="bold">{escape(one["name"])}</text>'


def stacked_bars(chart):
    width, left, right, top, bar_height, step, text_share = 860, 265, 90, 96, 26, 40, 0.09
    lines = [f'<rect x="{left + i * 110}" y="62" width="12" height="12" fill="{BAR_COLOURS[i]}"/>'
             f'<text x="{left + 18 + i * 110}" y="72">{escape(part)}</text>' for i, part in enumerate(chart["parts"])]
    for row, bar in enumerate(chart["bars"]):
        y, x, total = top + row * step, left, max(sum(bar["parts"]), 1e-9)
        lines.append(f'<text x="{left - 10}" y="{y + 17}" text-anchor="end">{escape(bar["name"])}</text>'
                     f'<text x="{width - right + 8}" y="{y + 17}">{escape(bar["total"])}</text>')
        for i, part in enumerate(bar["parts"]):
            length = part / total * (width - left - right)
            lines.append(f'<rect x="{number(x)}" y="{y}" width="{number(length)}" height="{bar_height}" fill="{BAR_COLOURS[i]}"/>')
            if part / total >= text_share:  # the text fits
                text = f"{part:.3f}" if part < 1 else f"{part:.2f}"
                lines.append(f'<text x="{number(x + length / 2)}" y="{y + 17}" text-anchor="middle" fill="{BAR_INKS[i]}">{text}</text>')
            x += length
    return page(width, top + len(chart["bars"]) * step + 8, chart, lines)


def main(paths):
    for path in map(pathlib.Path, paths):
        for chart in json.loads(path.read_text()):
            draw = {"line": line_chart, "stacked": stacked_bars}[chart["type"]]
            (path.parent / chart["file"]).write_text(draw(chart))


if __name__ == "__main__":
    main(sys.argv[1:])
