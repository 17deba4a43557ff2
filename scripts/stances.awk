# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Stances from the recording of feet.force: one line "leg begin end" each, legs numbered from 1. Gaps and touches of up to two samples do not count.
function close_stance(i) { if (down[i] && last[i] - begin[i] > 0.02) print i, begin[i], last[i]; down[i] = 0 }
BEGIN { FS = ","; split("FL FR ML MR RL RR", legs, " ") }
NR == 1 { for (k = 1; k <= NF; k++) for (i = 1; i <= 6; i++) if ($k == "feet.force." legs[i] ".z [N]") at[i] = k; next }
{
    for (i = 1; i <= 6; i++)
        if ($at[i] > 0) {
            if (!down[i]) begin[i] = $1
            down[i] = 1
            last[i] = $1
        } else if (down[i] && $1 - last[i] > 0.025)
            close_stance(i)
}
END { for (i = 1; i <= 6; i++) close_stance(i) }
