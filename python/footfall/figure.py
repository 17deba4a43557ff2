# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Figures as SVG, which a notebook shows inline: panels in a column, with curves over a common axis.

    ff.plot(t, {"left": fl, "right": fr}, xlabel="time [s]", ylabel="force [N]").save("forces.svg")
"""

import html
import math
import os

import numpy as np

from .errors import BadArgument

# Colours that people with any colour vision can distinguish. M. Okabe, K. Ito, Color Universal Design, 2008.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#b8a900")

WIDTH, HEIGHT = 720, 230  # of a panel [px]; its height grows with the legend
LEFT, RIGHT, TOP, BOTTOM = 74, 14, 10, 44  # margins around its axes
FONT, SMALLEST = 12, 9  # [px]
LETTER = 0.55  # mean width of a letter, in sizes of the font
LINE = 17  # height of an entry of the legend [px]
MOST_NAMES = 24  # in the legend of a panel
MOST_POINTS = 2000  # of a curve; of longer ones the smallest and largest value of each interval are drawn
DASHES = ("", "7 3", "2 3", "9 3 2 3")  # distinguish curves with equal colours


class Figure:
    """A column of panels. A notebook shows it inline; save() writes it as an SVG file."""

    def __init__(self, title=None):
        self.title = title
        self.panels = []

    def panel(self, x, curves, xlabel="", ylabel="", marks=False):
        """Adds a panel. `curves` is an array, or a dict of name: array; `marks` draws a dot at each point."""
        if not isinstance(curves, dict):
            curves = {"": curves}
        if not curves:
            raise BadArgument("curves is empty: a panel needs one or more")
        x = np.asarray(x, float)
        if x.ndim != 1 or len(x) < 2:
            raise BadArgument(f"x has shape {x.shape}: a curve needs two points or more")
        taken = {}
        for name, y in curves.items():
            y = np.asarray(y, float)
            if y.shape != x.shape:
                raise BadArgument(f"curve '{name}' has shape {y.shape}, but x has {x.shape}")
            taken[str(name)] = y
        self.panels.append((x, taken, xlabel, ylabel, marks))
        return self

    def svg(self):
        """@return the figure as text."""
        if not self.panels:
            raise BadArgument("the figure is empty: panel() adds curves")
        head = 26 if self.title else 0
        heights = [_panel_height(panel[1]) for panel in self.panels]
        height = head + sum(heights)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'font-family="sans-serif" font-size="{FONT}">',
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        ]
        if self.title:
            parts.append(_text(WIDTH / 2, 18, self.title, "middle", 'font-weight="bold"', WIDTH - 20, 14))
        legend = max(_legend_width(panel[1]) for panel in self.panels)
        top = head
        for panel, tall in zip(self.panels, heights):
            parts.append(f'<g transform="translate(0 {top})">{_draw(*panel, legend, tall)}</g>')
            top += tall
        parts.append("</svg>")
        return "\n".join(parts)

    def _repr_html_(self):
        return self.svg()

    def __repr__(self):
        curves = sum(len(panel[1]) for panel in self.panels)
        return f"<footfall.Figure: panels {len(self.panels)}, curves {curves}>"

    def save(self, path):
        """Writes an SVG file, NAME.svg."""
        check_suffix(path, ".svg", "a figure is an SVG file. A browser shows and prints it; rsvg-convert makes a PNG")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg())
        return self


def check_suffix(path, suffix, advice):
    """Refuses file names with the extension of another format."""
    if not os.fsdecode(path).lower().endswith(suffix):
        raise BadArgument(f"'{os.fsdecode(path)}' does not end in {suffix}: {advice}")


def plot(x, curves, xlabel="", ylabel="", title=None, marks=False):
    """A figure with one panel, see Figure.panel."""
    return Figure(title).panel(x, curves, xlabel, ylabel, marks)


def ticks(low, high, most=6):
    """@return at most `most` round numbers within [low, high], in steps of 1, 2 or 5 times a power of ten."""
    if not high > low:
        return [low]
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(s * power for s in (1, 2, 5, 10, 20) if (high - low) / (s * power) < most)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _range(arrays):
    """@return smallest and largest finite number, with some distance if they are equal."""
    finite = np.concatenate([a[np.isfinite(a)] for a in arrays])
    if len(finite) == 0:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        wider = 0.05 * abs(high) or 0.5
        return low - wider, high + wider
    return low, high


def _label(value, step):
    """@return texts of numbers, with as few digits as distinguish neighbours."""
    if value and not 1e-3 <= abs(value) < 1e5 and abs(value) > 1e-9 * step:
        return f"{value:.{max(3, math.floor(math.log10(abs(value) / step) + 1e-9) + 2)}g}"
    return f"{value if abs(value) > 1e-9 * step else 0.0:.{max(0, -math.floor(math.log10(step) + 1e-9))}f}"


def _text(x, y, words, anchor="start", more="", room=math.inf, size=FONT):
    """Fits a text into a width [px]: by a smaller font, then by omitting its middle."""
    words = str(words)
    fits = room / (LETTER * max(len(words), 1))
    if fits < size:
        size = max(fits, SMALLEST)
        most = int(room / (LETTER * size))
        if len(words) > most:
            words = words[: most // 2 - 1] + ".." + words[len(words) - (most - most // 2 - 1) :]
    if size != FONT:
        more += f' font-size="{size:.1f}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{html.escape(words)}</text>'


def _thin(x, y):
    """@return smallest and largest value of each interval in their order, so that no peak is lost."""
    if len(x) <= MOST_POINTS:
        return x, y
    kept = []
    for piece in np.array_split(np.arange(len(x)), MOST_POINTS // 2):
        values = y[piece]
        if np.isfinite(values).any():
            kept += sorted({piece[np.nanargmin(values)], piece[np.nanargmax(values)]})
        else:
            kept.append(piece[0])
    return x[kept], y[kept]


def _legend(curves):
    """@return names with the numbers of their curves; a curve without a name has only the label of its axis."""
    named = [(i, name) for i, name in enumerate(curves) if name]
    if len(named) > MOST_NAMES:
        named = named[: MOST_NAMES - 1] + [(None, f"and {len(named) - MOST_NAMES + 1} more")]
    return named


def _legend_width(curves):
    """@return the legend, placed next to the axes."""
    longest = max((len(name) for _, name in _legend(curves)), default=0)
    return 32 + LETTER * FONT * min(longest, 30) if longest else 0


def _panel_height(curves):
    return max(HEIGHT, TOP + BOTTOM + LINE * len(_legend(curves)))


def _draw(x, curves, xlabel, ylabel, marks, legend, height):
    """@return one panel as SVG."""
    right, bottom = WIDTH - RIGHT - legend, height - BOTTOM
    x0, x1 = _range([x])
    y0, y1 = _range(list(curves.values()))
    margin = 0.04 * (y1 - y0)
    y0, y1 = y0 - margin, y1 + margin

    def across(value):
        return LEFT + (right - LEFT) * (value - x0) / (x1 - x0)

    def up(value):
        return bottom - (bottom - TOP) * (value - y0) / (y1 - y0)

    parts = []
    for axis, marked in ((0, ticks(x0, x1, 9)), (1, ticks(y0, y1))):
        step = marked[1] - marked[0] if len(marked) > 1 else 1.0
        for value in marked:
            line = (across(value), TOP, across(value), bottom) if axis == 0 else (LEFT, up(value), right, up(value))
            parts.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>' % line)
            place = (across(value), bottom + 16, "middle") if axis == 0 else (LEFT - 6, up(value) + 4, "end")
            label = _label(value, step)
            size = FONT if axis == 0 else min(FONT, (LEFT - 26) / (LETTER * len(label)))  # numbers are never shortened
            parts.append(_text(place[0], place[1], label, place[2], size=size))
    frame = (LEFT, TOP, right - LEFT, bottom - TOP)
    parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="#666"/>' % frame)
    for i, y in enumerate(curves.values()):
        parts.append(_curve(*_thin(x, y), across, up, i, marks))
    parts.append(_text((LEFT + right) / 2, height - 10, xlabel, "middle", room=right - LEFT))
    middle = (TOP + bottom) / 2
    parts.append(_text(14, middle, ylabel, "middle", f'transform="rotate(-90 14 {middle})"', height - 8))
    for row, (i, name) in enumerate(_legend(curves)):
        y = TOP + 12 + LINE * row
        if i is not None:
            line = (right + 8, y - 4, right + 24, y - 4, _stroke(i, 2))
            parts.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" %s/>' % line)
        parts.append(_text(right + 28, y, name, room=legend - 28))
    return "".join(parts)


def _colour(i):
    return COLOURS[i % len(COLOURS)]


def _stroke(i, width):
    dash = DASHES[i // len(COLOURS) % len(DASHES)]
    return f'stroke="{_colour(i)}" stroke-width="{width}"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _curve(x, y, across, up, i, marks):
    """@return a line with gaps at numbers that are not finite."""
    path, drawing = [], False
    for a, b in zip(x, y):
        if math.isfinite(a) and math.isfinite(b):
            path.append(f"{'L' if drawing else 'M'}{across(a):.1f} {up(b):.1f}")
            drawing = True
        else:
            drawing = False
    dots = ""
    if marks:
        finite = [(across(a), up(b)) for a, b in zip(x, y) if math.isfinite(a) and math.isfinite(b)]
        dots = "".join(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.2" fill="{_colour(i)}"/>' for a, b in finite)
    look = f'fill="none" {_stroke(i, 1.6)} stroke-linejoin="round"'
    return f'<path d="{"".join(path)}" {look}/>{dots}'
