# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Figures as SVG, which a notebook shows inline: panels one above the other, curves over a common axis.

    ff.plot(t, {"left": fl, "right": fr}, xlabel="time [s]", ylabel="force [N]").save("forces.svg")
"""

import html
import math

import numpy as np

# Colours that people with any colour vision tell apart. M. Okabe, K. Ito, Color Universal Design, 2008.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#b8a900")

WIDTH, HEIGHT = 720, 230  # of a panel [px]
LEFT, RIGHT, TOP, BOTTOM = 74, 14, 10, 44  # margins around its axes
MOST_POINTS = 2000  # of a curve; longer ones keep least and greatest value of each piece


class Figure:
    """Panels one above the other. `_repr_html_` shows it in a notebook, save() writes it as a file."""

    def __init__(self, title=None):
        self.title = title
        self.panels = []

    def panel(self, x, curves, xlabel="", ylabel="", marks=False):
        """Adds a panel. `curves` is an array, or a dict of name: array; `marks` puts a dot at each point."""
        if not isinstance(curves, dict):
            curves = {"": curves}
        x = np.asarray(x, float)
        if x.ndim != 1 or len(x) < 2:
            raise ValueError(f"x has shape {x.shape}: a curve needs two points or more")
        taken = {}
        for name, y in curves.items():
            y = np.asarray(y, float)
            if y.shape != x.shape:
                raise ValueError(f"curve '{name}' has shape {y.shape}, but x has {x.shape}")
            taken[name] = y
        self.panels.append((x, taken, xlabel, ylabel, marks))
        return self

    def svg(self):
        """The figure as text."""
        head = 26 if self.title else 0
        height = head + HEIGHT * len(self.panels)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'font-family="sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        ]
        if self.title:
            parts.append(_text(WIDTH / 2, 18, self.title, "middle", 'font-size="14" font-weight="bold"'))
        legend = max((_legend_width(panel[1]) for panel in self.panels), default=0)
        for i, panel in enumerate(self.panels):
            parts.append(f'<g transform="translate(0 {head + HEIGHT * i})">{_draw(*panel, legend)}</g>')
        parts.append("</svg>")
        return "\n".join(parts)

    def _repr_html_(self):
        return self.svg()

    def save(self, path):
        """Writes an SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg())
        return self


def plot(x, curves, xlabel="", ylabel="", title=None, marks=False):
    """A figure with one panel, see Figure.panel."""
    return Figure(title).panel(x, curves, xlabel, ylabel, marks)


def ticks(low, high, most=6):
    """Round numbers within [low, high], at most `most`: steps of 1, 2 or 5 times a power of ten."""
    if not high > low:
        return [low]
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(s * power for s in (1, 2, 5, 10, 20) if (high - low) / (s * power) < most)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _range(arrays):
    """Least and greatest finite number, a little wider where they are one."""
    finite = np.concatenate([a[np.isfinite(a)] for a in arrays])
    if len(finite) == 0:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        wider = 0.05 * abs(high) or 0.5
        return low - wider, high + wider
    return low, high


def _label(value, step):
    """As few digits as tell neighbours apart."""
    if value and not 1e-3 <= abs(value) < 1e5 and abs(value) > 1e-9 * step:
        return f"{value:.3g}"
    return f"{value if abs(value) > 1e-9 * step else 0.0:.{max(0, -math.floor(math.log10(step) + 1e-9))}f}"


def _text(x, y, words, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{html.escape(str(words))}</text>'


def _thin(x, y):
    """Least and greatest value of each piece in the order they come, so that no peak is lost."""
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


def _legend_width(curves):
    """Beside the axes, where it hides nothing."""
    longest = max((len(name) for name in curves), default=0)
    return 32 + 6.6 * min(longest, 30) if longest else 0


def _draw(x, curves, xlabel, ylabel, marks, legend):
    """One panel."""
    right, bottom = WIDTH - RIGHT - legend, HEIGHT - BOTTOM
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
            parts.append(_text(place[0], place[1], _label(value, step), place[2]))
    frame = (LEFT, TOP, right - LEFT, bottom - TOP)
    parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="#666"/>' % frame)
    for colour, y in zip(_endless(COLOURS), curves.values()):
        parts.append(_curve(*_thin(x, y), across, up, colour, marks))
    parts.append(_text((LEFT + right) / 2, HEIGHT - 10, xlabel, "middle"))
    middle = (TOP + bottom) / 2
    parts.append(_text(14, middle, ylabel, "middle", f'transform="rotate(-90 14 {middle})"'))
    for i, (colour, name) in enumerate(zip(_endless(COLOURS), curves if legend else ())):
        y = TOP + 12 + 17 * i
        line = (right + 8, y - 4, right + 24, y - 4, colour)
        parts.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="2"/>' % line)
        parts.append(_text(right + 28, y, name if len(name) <= 30 else name[:14] + ".." + name[-14:]))
    return "".join(parts)


def _endless(colours):
    while True:
        yield from colours


def _curve(x, y, across, up, colour, marks):
    """A line, broken where a number is not finite."""
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
        dots = "".join(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.2" fill="{colour}"/>' for a, b in finite)
    look = f'fill="none" stroke="{colour}" stroke-width="1.6" stroke-linejoin="round"'
    return f'<path d="{"".join(path)}" {look}/>{dots}'
