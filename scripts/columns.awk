# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Time and named columns of a recording: awk -v names="walk.height [m];walk.pitch [rad]" [-v from=2] [-v to=7] [-v every=2] -f scripts/columns.awk run.csv
BEGIN { FS = ","; n = split(names, name, ";"); if (to == "") to = 1e9; if (every == "") every = 1 }
NR == 1 {
    while (match($0, /"[^"]*"/)) { # a unit with commas: without them
        quoted = substr($0, RSTART + 1, RLENGTH - 2)
        gsub(/,/, "", quoted)
        $0 = substr($0, 1, RSTART - 1) quoted substr($0, RSTART + RLENGTH)
    }
    for (i = 1; i <= n; i++) {
        for (k = 1; k <= NF; k++) if ($k == name[i]) at[i] = k
        if (!at[i]) { print "no column '" name[i] "'" > "/dev/stderr"; exit 1 }
    }
    next
}
$1 >= from && $1 <= to && NR % every == 0 {
    printf "%.5g", $1
    for (i = 1; i <= n; i++) printf " %.6g", $at[i]
    printf "\n"
}
