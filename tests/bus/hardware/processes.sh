#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# tests/bus/hardware/processes.sh PROGRAM SOURCE_DIR: the hardware layer as users start it. Robot, layer and controller in three processes give the numbers
# of two; a controller that falls silent is a fault; a fault that nobody acknowledges is exit code 3; mistakes are reported.
set -u
program=$1 source=$2 folder=$(mktemp -d) failed=0 passed=0
trap 'rm -r "$folder"' EXIT
check() { # WHAT STATUS
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $1"; fi
}
scene=$source/experiments/anton-tripod.yaml
numbers=(--set expect=[] --set metrics={} --quiet)
commands="0.1 miscount 2; 0.15 acknowledge; 0.16 activate"
without_time() { sed -E 's/"(wall|rtf)": [^,]*,//g' "$1"; }

timeout 100 "$program" serve "$scene" --link shm:two-$$ --wait 60 --time 0.3 "${numbers[@]}" --out "$folder/two" --hardware --operator "$commands" 2>"$folder/two.txt" &
robot=$!
timeout 100 "$program" control "$scene" --link shm:two-$$ --quiet
wait $robot
check "a fault that is acknowledged is a good end" $?

timeout 100 "$program" serve "$scene" --link shm:robot-$$ --wait 60 --time 0.3 "${numbers[@]}" --out "$folder/three" 2>"$folder/three.txt" &
robot=$!
timeout 100 "$program" hardware "$scene" --bus shm:robot-$$ --link shm:layer-$$ --wait 60 --timeout 60 --operator "$commands" >"$folder/layer.txt" 2>&1 <<<"dance
$(printf 'home%.0s' {1..30})" &
layer=$!
timeout 100 "$program" control "$scene" --link shm:layer-$$ --timeout 60 --quiet
wait $layer
check "the layer ends with its robot" $?
wait $robot
check "and the robot with its time" $?
grep -q "Fault: .*2 consecutive counters differ" "$folder/layer.txt" && grep -q "Active" "$folder/layer.txt"
check "the layer prints its states and faults" $?
grep -q "'dance' is not a command; expected: home" "$folder/layer.txt" && grep -q "at most 95 characters" "$folder/layer.txt"
check "and answers a wrong command on its input" $?
[ "$(without_time "$folder/two/summary.json")" = "$(without_time "$folder/three/summary.json")" ]
check "three processes have the numbers of two" $?

# a controller that falls silent: the layer notices it, and answers its robot
timeout 100 "$program" serve "$scene" --link shm:robot-$$ --wait 60 --time 0.5 "${numbers[@]}" --out "$folder/silent" >"$folder/silent.txt" 2>&1 &
robot=$!
timeout 100 "$program" hardware "$scene" --bus shm:robot-$$ --link shm:layer-$$ --wait 60 --timeout 4 >"$folder/silent-layer.txt" 2>&1 </dev/null &
layer=$!
timeout 100 "$program" control "$scene" --link shm:layer-$$ --faults cut=100 --timeout 60 --quiet
wait $layer
[ $? = 3 ] && grep -q "Fault: " "$folder/silent-layer.txt"
check "a silent controller is a fault of the layer" $?
wait $robot
[ $? = 3 ] && grep -q "or its hardware layer, has been in fault" "$folder/silent/summary.json"
check "whose robot goes on to be answered, and ends with code 3" $?

timeout 100 "$program" serve "$scene" --link shm:fault-$$ --wait 60 --time 0.15 "${numbers[@]}" --out "$folder/fault" --hardware --operator "0.1 fault FL_coxa" >"$folder/fault.txt" 2>&1 &
robot=$!
timeout 100 "$program" control "$scene" --link shm:fault-$$ --quiet
wait $robot
[ $? = 3 ] && grep -q "drive 'FL_coxa' reports a fault" "$folder/fault.txt"
check "a robot that ends in a fault ends with code 3" $?
"$program" serve "$scene" --operator "1 home" --link shm:none-$$ >"$folder/no-layer.txt" 2>&1
[ $? = 2 ] && grep -q "give --hardware as well" "$folder/no-layer.txt"
check "an operator without a layer is reported" $?
"$program" serve "$scene" --hardware --operator "1 dance" --link shm:none-$$ >"$folder/dance.txt" 2>&1
[ $? = 2 ] && grep -q "^--operator: error: 'dance' is not a command; expected: .*stick SENSOR" "$folder/dance.txt" && ! grep -q "anton-tripod.yaml" "$folder/dance.txt"
check "an unknown command is reported at its option" $?
timeout 20 "$program" hardware "$scene" --operator "1 fault FL_cocsa" --bus shm:none-$$ --timeout 1000 </dev/null >"$folder/early.txt" 2>&1
[ $? = 2 ] && grep -q "^--operator: error: 'fault FL_cocsa': there is no drive" "$folder/early.txt"
check "by a layer of its own, too, before it looks for its robot" $?

[ $failed = 0 ] || head -n 40 "$folder"/*.txt
echo "$passed passed, $failed failed"
[ $failed = 0 ]
