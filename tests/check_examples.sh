#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# check_examples.sh ROOT: examples/README.md lists every example.
set -eu
cd "$1/examples"
status=0
for file in *.c *.yaml link/*.* ../python/examples/*.py ../python/examples/*.yaml; do
    grep -q "]($file)" README.md || { echo "examples/README.md does not list $file" && status=1; }
done
exit $status
