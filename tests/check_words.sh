#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# check_words.sh SCRIPT: scripts/check-words finds the words that the glossary replaces in identifiers, comments and pages, but where the glossary excepts them,
# and sentences, lines and cells that are too long.
set -eu
script=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/docs" "$folder/src" "$folder/tests"
cat > "$folder/docs/glossary.md" <<'PAGE'
# Words
| word | meaning | not |
|---|---|---|
| reconnect | to bring back a link | comeback, come again |
| backlash | free travel of a gear | play |
## Exceptions
| where | words | why |
|---|---|---|
| `"to play a film"`, `tests` | play | another sense |
PAGE
cat > "$folder/src/gear.c" <<'CODE'
int backlash; // a button to play a film, displayed
CODE
echo 'int play;' > "$folder/tests/gear.c"
"$script" "$folder" || { echo "our words are refused" && exit 1; }

cat > "$folder/src/link.c" <<'CODE'
int link_comeback, lastComeback, COMEBACK_MS; // the link will come
                                              // again
CODE
cat > "$folder/docs/page.md" <<'PAGE'
A gear has play.
One two three four five six seven eight nine ten, and the same again: one two three four five six seven eight nine ten.
One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty, one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
`sixteen seventeen`.

    code is as long as it has to be, one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen

A line of prose of a hundred and twenty-one characters is one too many, where this one has exactly as many as that, sirs.

| cell | 012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890 |
|---|---|
PAGE
if "$script" "$folder" 2> "$folder/said"; then echo "planted words pass" && exit 1; fi
cat > "$folder/wanted" <<'TEXT'
docs/page.md:1:12: error: "play" is not our word: backlash
docs/page.md:3:1: error: a sentence of 36 words, beyond 35: One two three four five six ...
docs/page.md:9:121: error: a line of 121 characters, beyond 120
docs/page.md:11:9: error: a cell of 201 characters, beyond 200
src/link.c:1:10: error: "comeback" is not our word: reconnect
src/link.c:1:24: error: "comeback" is not our word: reconnect
src/link.c:1:34: error: "comeback" is not our word: reconnect
src/link.c:1:64: error: "come again" is not our word: reconnect
TEXT
diff "$folder/wanted" "$folder/said"
