#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# check_links.sh SCRIPT: scripts/check-links passes pages whose links are sound, and names each link that is not, with file and line.
set -eu
script=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/docs"
cat > "$folder/README.md" <<'PAGE'
# One page
[itself](#one-page), [a page](docs/other.md), [its heading](docs/other.md#what-it-costs-in-ms), [again](docs/other.md#limits-1), [outside](https://example.org/#any)
PAGE
cat > "$folder/docs/other.md" <<'PAGE'
## What `it` costs, [in ms](../README.md)
## Limits
## Limits
```sh
# no heading
```
[back](../README.md#one-page)
PAGE
"$script" "$folder" || { echo "sound links are refused" && exit 1; }

cat >> "$folder/docs/other.md" <<'PAGE'
[gone](gone.md), [no heading](#no-heading), [a third](#limits-2), [elsewhere](../README.md#limits)
PAGE
if "$script" "$folder" 2> "$folder/said"; then echo "dead links pass" && exit 1; fi
cat > "$folder/wanted" <<'TEXT'
docs/other.md:8: error: the link leads to gone.md, which is not there
docs/other.md:8: error: the link leads to #no-heading, which is not there
docs/other.md:8: error: the link leads to #limits-2, which is not there
docs/other.md:8: error: the link leads to ../README.md#limits, which is not there
TEXT
diff "$folder/wanted" "$folder/said"
