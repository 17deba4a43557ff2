# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Results of a run: recordings as arrays, plots, the report page, certificates. Notebooks show them inline."""

import difflib
import fnmatch
import html
import json
import os
import tempfile

from . import _core
from .errors import Closed, NotFound
from .figure import Figure, check_suffix


class Recording(_core.Recording):
    """A recording: channels by name as NumPy arrays, with their units, over time.

        recording = ff.Recording("out/anton-march")      # the folder of a run, or its run.h5
        recording = ff.Scene("scene.yaml").run().recording
        recording.time, recording["base.pos"], recording["base.pos.z"], recording.units["base.pos"]
    """

    _folder = None  # temporary folder of the recording

    def __getitem__(self, name):
        """@return a channel, (rows) or (rows, columns), or one column: recording["base.pos.z"]."""
        channel, column = self._find(name)
        return self.read(channel) if column is None else self.read(channel)[:, column]

    def _find(self, name):
        units = self.units
        if name in units:
            return name, None
        for channel in units:  # names of columns may contain dots: feet.force.FL.z
            column = str(name)[len(channel) + 1 :]
            if str(name).startswith(channel + ".") and column in self.columns(channel):
                return channel, self.columns(channel).index(column)
        near = difflib.get_close_matches(str(name), self.names(), 1)
        raise NotFound(f"no channel '{name}' was recorded" + (f": did you mean '{near[0]}'?" if near else ""))

    def __contains__(self, name):
        try:
            self._find(name)
        except NotFound:
            return False
        return True

    def __iter__(self):
        return iter(self.units)

    def __len__(self):
        """@return number of rows."""
        return len(self.time)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def keys(self):
        """Names of the channels."""
        return self.units.keys()

    def names(self):
        """Names of all columns: "base.pos.x", "energy.total"."""
        found = []
        for channel in self.units:
            columns = self.columns(channel)
            found += [channel] if len(columns) == 1 else [f"{channel}.{column}" for column in columns]
        return found

    @property
    def time(self):
        """Time of each row [s]."""
        return self.read("time")

    @property
    def events(self):
        """Events with their times: a list of dicts, docs/studio.md."""
        return json.loads(self._events or "[]")

    def _choose(self, words):
        """@return curves of channels, columns, prefixes and patterns, separated by commas."""
        found = {}
        for word in words.split(","):
            word = word.strip()
            fits = [n for n in self.names() if n == word or n.startswith(word + ".") or fnmatch.fnmatchcase(n, word)]
            if not fits:
                self._find(word)
            for name in fits:
                found[name] = self[name]
        return found

    def plot(self, *panels, against="time", title=None):
        """@return a figure with a panel for each argument: a channel ("base.pos"), a column ("base.pos.z"), a prefix
        ("energy") or a pattern ("feet.*.force.z"), or several separated by commas. `against` is the column of the
        horizontal axis, by default time."""
        if not panels:
            raise TypeError('plot() needs the name of a channel, such as "base.pos.z"')
        figure, x = Figure(title), self[against]
        for words in panels:
            curves = self._choose(words)
            units = {self.units[self._find(name)[0]] for name in curves}
            unit = f" [{units.pop()}]" if len(units) == 1 else ""
            if len(curves) == 1:
                (name,) = curves
                curves, label = {"": curves[name]}, name + unit
            else:
                lead = os.path.commonprefix([name.rpartition(".")[0] + "." for name in curves])
                lead = lead[: lead.rfind(".") + 1]
                curves = {name[len(lead) :]: curve for name, curve in curves.items()}
                label = lead.rstrip(".") + unit
            figure.panel(x, curves, f"{against} [{self.units[self._find(against)[0]]}]", label)
        return figure

    def report(self):
        """@return the run as a report page."""
        with tempfile.TemporaryDirectory(prefix="footfall-") as folder:
            path = os.path.join(folder, "report.html")
            self.write_report(path)
            with open(path, encoding="utf-8") as file:
                return Report(file.read())

    def __repr__(self):
        try:
            return f"<footfall.Recording: {len(self)} rows of {len(self.units)} channels>"
        except Closed:
            return "<footfall.Recording: closed>"

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td><code>{html.escape(name)}</code></td><td>{html.escape(unit)}</td>"
            f"<td>{html.escape(' '.join(self.columns(name)))}</td></tr>"
            for name, unit in self.units.items()
        )
        return f"<p>{len(self)} rows</p><table><tr><th>channel</th><th>unit</th><th>columns</th></tr>{rows}</table>"


class Report:
    """The report page of a run, one HTML text that needs no other files. save() writes it; a notebook shows it."""

    def __init__(self, page):
        self.page = page

    def save(self, path):
        """Writes the page, NAME.html."""
        check_suffix(path, ".html", "a report is an HTML page. A browser shows and prints it")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)
        return self

    def __repr__(self):
        return f"<footfall.Report: a page of {len(self.page)} characters>"

    def _repr_html_(self):
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="720" '
            'style="border: 1px solid #ccc" sandbox="allow-scripts"></iframe>'
        )


class Certificate:
    """How far the numbers of a run can be relied on, docs/certificate.md.

    certainty  "resolved", "unresolved" or "chaotic"
    text       what it says, in a sentence or two
    bars       metric: error bar, None where the other runs do not have the number
    values     metric: its value in the run itself
    json       all of it, as summary.json has it
    """

    def __init__(self, certificate, bands, values):
        self.json = json.loads(certificate)
        self.values = values
        self.bands = json.loads(bands)
        self.certainty = self.json["certainty"]
        self.text = self.json["text"]
        self.bars = {name: m["bar"] for name, m in self.json["metrics"].items()}

    def __repr__(self):
        return f"<footfall.Certificate: {self.certainty}: {self.text}>"

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td><code>{html.escape(name)}</code></td><td>{_number(self.values.get(name))}</td>"
            f"<td>± {_number(m['bar'])}</td></tr>"
            for name, m in self.json["metrics"].items()
        )
        return (
            f"<p><b>{html.escape(self.certainty)}</b>: {html.escape(self.text)}</p>"
            f"<table><tr><th>metric</th><th>value</th><th>error bar</th></tr>{rows}</table>"
        )


def _number(value):
    return "?" if value is None else f"{value:.6g}"


def recording_of(run):
    """@return the recording of a run up to the present time."""
    folder = tempfile.TemporaryDirectory(prefix="footfall-")
    _core.save_run(run, folder.name)
    recording = Recording(folder.name)
    recording._folder = folder
    return recording


def report_of(run):
    """@return the report page of a run."""
    return run.recording.report()


def certificate_of(run):
    """Repeats a run with other tolerances and methods. @return its certificate."""
    return Certificate(*_core.certify_run(run), run.metrics)
