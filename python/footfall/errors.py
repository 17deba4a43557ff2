# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Errors as exceptions. All but Warning are footfall.Error; those about input are also ValueError."""

__all__ = ["Error", "BadInput", "BadArgument", "BadFile", "BadModel", "NotFound", "NotBuilt", "NoMemory", "Limit",
           "Diverged", "SolverFailed", "Stopped", "ControlFailed", "NotWritten", "Closed", "Busy", "Warning"]


class Error(Exception):
    """Something went wrong in Footfall. str(error) is the whole message, with every problem of a file on a line.

    file    the file that is the cause, or None
    line    in that file, from 1 on; 0: unknown
    column  likewise
    advice  what to do about it, where the message says so, else None
    """

    def __init__(self, message="", file=None, line=0, column=0):
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column

    @property
    def status(self):
        """The name of the class, the same for every error of a kind."""
        return type(self).__name__

    @property
    def advice(self):
        import re  # here, as it is a sixth of the time that the whole package takes to be imported

        text = str(self).split("\n", 1)[0]
        if self.file and text.startswith(self.file):
            text = re.sub(r"^(:\d+)*: (error: )?", "", text[len(self.file):])
        statement, found, advice = text.partition("; ") if "; " in text.partition(": ")[0] else text.partition(": ")
        return advice if found else None


class BadInput(Error, ValueError):
    """A file, a description or an argument is invalid."""


class BadArgument(BadInput):
    """An argument is not allowed; the message names it."""


class BadFile(BadInput):
    """A file cannot be read, or has invalid content."""


class BadModel(BadInput):
    """The description is not a physically possible robot."""


class NotFound(BadInput, LookupError):
    """The name is unknown; the message has the nearest known one."""


class NotBuilt(Error, NotImplementedError):
    """This build of Footfall was made without the needed library."""


class NoMemory(Error, MemoryError):
    """Out of memory."""


class Limit(Error):
    """A size limit was exceeded."""


class Diverged(Error, ArithmeticError):
    """The state is no longer finite; the message has time, body and likely cause."""


class SolverFailed(Error, ArithmeticError):
    """The numerical method could not continue."""


class Stopped(Error):
    """Stopped on request."""


class ControlFailed(Error):
    """A controller failed."""


class NotWritten(Error, OSError):
    """A file cannot be written."""


class Closed(Error):
    """The simulation, run or scene was closed before."""


class Busy(Error):
    """Another thread runs this simulation."""


class Warning(UserWarning):
    """Warnings of the library: parts of a file that are not used, steps too long for a contact."""


for _name in __all__:  # users know them by the name of the package
    globals()[_name].__module__ = "footfall"
