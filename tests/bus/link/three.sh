#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# tests/bus/link/three.sh PROGRAM SOURCE_DIR: robot, stabiliser and planner as processes, as a user starts them, and one of them is killed (kill -9) on the way.
# ANTON stays on its feet whichever it is; LOLA without its planner walks its plan to the end and stands. Answers of the planner are delayed, so that
# the run lasts longer than it takes to kill somebody, however fast the machine is.
set -u
program=$1 source=$2 folder=$(mktemp -d) failed=0 passed=0
trap 'rm -r "$folder"' EXIT
check() { # WHAT STATUS
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $1"; fi
}
port() { echo $((20000 + ($$ * 10 + $1) % 12000)); } # below those that the system assigns by itself (from 32768 on)

anton=$source/experiments/anton-tripod.yaml lola=$source/experiments/lola-walk.yaml

# start NAME SCENE WIRE PLANNER_WIRE SECONDS: sets robot, stabiliser and planner to the processes
start() {
    local name=$1 scene=$2 wire=$3 plans=$4 seconds=$5
    local set=(--set expect=[] --set metrics={})
    [ "$scene" = "$lola" ] && set+=(--set control.biped.hold=0.2)
    timeout 200 "$program" serve "$scene" "${set[@]}" --time "$seconds" --link "$wire" --wait 60 --out "$folder/$name" >"$folder/$name.txt" 2>&1 &
    robot=$!
    "$program" control "$scene" "${set[@]}" --link "$wire" --planner "$plans" --timeout 2 >"$folder/$name-stabiliser.txt" 2>&1 &
    stabiliser=$!
    "$program" control "$scene" "${set[@]}" --link "$plans" --plan --timeout 3 --faults delay=0.001 >"$folder/$name-planner.txt" 2>&1 &
    planner=$!
    for _ in $(seq 600); do
        grep -q "a controller is connected" "$folder/$name.txt" && return
        kill -0 $robot 2>/dev/null || return
        sleep 0.1
    done
}

stands() { grep -q '"walk.falls": 0,' "$folder/$1/summary.json"; }

start anton-planner "$anton" shm:three-$$ shm:three-plan-$$ 2
sleep 1
kill -9 $planner
wait $planner 2>/dev/null
wait $robot
[ $? = 3 ] && grep -q "lost its planner" "$folder/anton-planner.txt" && stands anton-planner
check "ANTON whose planner is killed stands, code 3, and says so" $?
wait $stabiliser
[ $? = 3 ] && grep -q "the planner was lost" "$folder/anton-planner-stabiliser.txt"
check "its stabiliser says so, too" $?

start anton-stabiliser "$anton" tcp:$(port 1) tcp:$(port 2) 2
sleep 1
kill -9 $stabiliser
wait $stabiliser 2>/dev/null
wait $robot
[ $? = 3 ] && grep -q "lost its controller" "$folder/anton-stabiliser.txt" && stands anton-stabiliser
check "ANTON whose stabiliser is killed stands, code 3, and says so" $?
wait $planner
[ $? = 3 ]
check "its planner ends, too" $?

start lola-planner "$lola" shm:three-$$ shm:three-plan-$$ 6.5
sleep 2
kill -9 $planner
wait $planner 2>/dev/null
wait $robot
[ $? = 3 ] && grep -q "lost its planner" "$folder/lola-planner.txt" && stands lola-planner
check "LOLA whose planner is killed walks its plan to the end and stands, code 3, and says so" $?
wait $stabiliser

start lola-stabiliser "$lola" tcp:$(port 3) tcp:$(port 4) 3
sleep 1
kill -9 $stabiliser
wait $stabiliser 2>/dev/null
wait $robot
[ $? = 3 ] && grep -q "lost its controller" "$folder/lola-stabiliser.txt"
check "LOLA whose stabiliser is killed is held, code 3, and says so" $?
wait $planner

"$program" control "$anton" --link shm:three-$$ --planner shm:x --plan >"$folder/both.txt" 2>&1
[ $? = 1 ] && grep -q -- "--plan or --planner" "$folder/both.txt"
check "nobody is both halves" $?
timeout 100 "$program" serve "$source/examples/link/rock.yaml" --link shm:three-$$ --wait 60 --out "$folder/rock" >"$folder/rock.txt" 2>&1 &
robot=$!
"$program" control "$source/experiments/anton-free-legs.yaml" --link shm:three-$$ --plan >"$folder/piece.txt" 2>&1
[ $? = 2 ] && grep -q "is one piece" "$folder/piece.txt"
check "a controller without halves is refused with that reason" $?
kill $robot
wait $robot 2>/dev/null

[ $failed = 0 ] || cat "$folder"/*.txt
echo "$passed passed, $failed failed"
[ $failed = 0 ]
