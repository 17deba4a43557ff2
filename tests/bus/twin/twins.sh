#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# tests/bus/twin/twins.sh PROGRAM SOURCE_DIR: one controller and two robots as three processes, as a user starts them. Robots that are alike move alike to
# the last bit; a twin that is lost leaves the leader's bits; a leader that is lost takes its twin with it; and a recording in place of the twin.
set -u
program=$1 source=$2 folder=$(mktemp -d) failed=0 passed=0
trap 'rm -r "$folder"' EXIT
check() { # WHAT STATUS
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $1"; fi
}
scene=$source/experiments/servo-hexapod-walk.yaml
channels='record.channels=[joints.position, base, sensors]'
round=0
serve() { # NAME OPTION...: a robot in the background
    local name=$1
    shift
    timeout 100 "$program" serve "$scene" --link "shm:$name-$$-$round" --wait 60 --time 1 --set "$channels" --set expect=[] --out "$folder/$name" "$@" >"$folder/$name.txt" 2>&1 &
}
begin() { # removes what robots of the round before said
    round=$((round + 1))
    rm -f "$folder/leader.txt" "$folder/twin.txt"
}
ready() { # NAME...: these robots wait for their controller
    for name in "$@"; do
        for _ in $(seq 600); do grep -qs "waiting for a controller" "$folder/$name.txt" && break || sleep 0.1; done
    done
}
both() { # OPTION...: the controller of both robots
    ready leader twin
    timeout 100 "$program" control "$scene" --link "shm:leader-$$-$round" --twin "shm:twin-$$-$round" "$@" >"$folder/control-$round.txt" 2>&1
}

"$program" run "$scene" --time 1 --set "$channels" --set expect=[] --quiet --out "$folder/alone"
check "the robot walks alone" $?

begin
serve leader
leader=$!
serve twin
twin=$!
report=$("$program" report "$folder/alone" >/dev/null 2>&1 && echo --report) # else the build has no pages
both --out "$folder/pair" $report
check "the controller ends with its robots" $?
! grep -q "footfall run --report" "$folder/control-$round.txt" && { [ -z "$report" ] || [ -e "$folder/pair/report.html" ]; }
check "a page about frames asks for no replay" $?
wait $leader && wait $twin
check "so do these" $?
cmp "$folder/alone/run.csv" "$folder/leader/run.csv" && cmp "$folder/alone/run.csv" "$folder/twin/run.csv"
check "both have the bits of one process" $?
grep -q "51 of 51 cycles with it" "$folder/control-$round.txt" && grep -q "All 12 sensors of leader and twin are bit-identical" "$folder/control-$round.txt"
check "the controller sees that" $?
"$program" plot "$folder/pair" 2>/dev/null | grep -q "difference.sensors.FL_touch.force"
check "its recording has sensors of both" $?
grep -q '"outcome": "finished"' "$folder/pair/summary.json" && grep -q '"text": "All 12 sensors of leader and twin are bit-identical' "$folder/pair/summary.json"
check "and a summary" $?

begin
serve leader
leader=$!
serve twin --faults cut=20
twin=$!
both --timeout 4 --out "$folder/parted"
check "a twin that is lost does not end the controller" $?
wait $leader
check "nor the leader" $?
cmp "$folder/alone/run.csv" "$folder/leader/run.csv"
check "which keeps its bits" $?
grep -q "s on there was no twin: " "$folder/control-$round.txt" && grep -q '"lost": ' "$folder/parted/summary.json" && ! grep -q "51 of 51 cycles with it" "$folder/control-$round.txt"
check "that is reported" $?
wait $twin
[ $? = 3 ]
check "and the twin was held" $?

begin
serve leader --faults cut=20
leader=$!
serve twin
twin=$!
both --timeout 4
[ $? = 3 ]
check "without the leader there is nothing to answer" $?
wait $leader
[ $? = 3 ]
check "the leader was held" $?
wait $twin
[ $? = 3 ] && grep -q "lost its controller" "$folder/twin.txt"
check "its twin was sent away" $?

begin
serve leader
leader=$!
ready leader
timeout 100 "$program" control "$scene" --link "shm:leader-$$-$round" --twin "shm:nobody-$$" --timeout 1 --out "$folder/half" >"$folder/control-$round.txt" 2>&1
[ $? = 2 ] && [ ! -e "$folder/half" ]
check "a missing twin is reported before the leader starts, and nothing is recorded" $?
kill $leader
wait $leader 2>/dev/null

if [ -e "$folder/alone/run.h5" ]; then # else the build has no HDF5
    begin
    serve leader
    leader=$!
    ready leader
    "$program" serve "$scene" --link "shm:other-$$" --out "$folder/leader" >"$folder/second.txt" 2>&1
    [ $? = 2 ] && grep -q "run.h5: another run is writing it" "$folder/second.txt"
    check "two runs do not share a folder" $?
    kill $leader
    wait $leader 2>/dev/null
fi

begin
serve leader --wall --tolerate 1000
leader=$!
serve twin --wall --tolerate 1000
twin=$!
both --out "$folder/wall"
check "in real time the controller serves both" $?
wait $leader && wait $twin
check "and both come to their end" $?

"$program" twin "$scene" --time 1 --set "$channels" --set expect=[] --recording "$folder/alone/run.csv" --out "$folder/found" >"$folder/found.txt" 2>&1
check "a run has its own recording as a twin" $?
grep -q "offset of 0.000000 s" "$folder/found.txt"
check "at the offset 0" $?
printf 'time,joints.position.FL_coxa\n0,1\n1,x\n' >"$folder/bad.csv"
"$program" twin "$scene" --time 1 --set "$channels" --recording "$folder/bad.csv" --out "$folder/bad" >"$folder/bad.txt" 2>&1
[ $? = 2 ] && grep -q 'bad.csv:3:3: error: "x" is no number' "$folder/bad.txt"
check "a wrong recording is reported with its place" $?
"$program" twin "$scene" --offset 1 >/dev/null 2>&1
[ $? = 1 ]
check "an offset without a recording is wrong use" $?
"$program" twin "$scene" --set-twin robt=x --out "$folder/robt" >"$folder/robt.txt" 2>&1
[ $? = 2 ] && grep -q "^--set-twin robt: error: unknown key 'robt'" "$folder/robt.txt"
check "a wrong value of the twin names its option" $?
"$program" twin "$scene" --allow os >/dev/null 2>&1
[ $? = 1 ]
check "twins take no --allow" $?

[ $failed = 0 ] || cat "$folder"/*.txt
echo "$passed passed, $failed failed"
[ $failed = 0 ]
