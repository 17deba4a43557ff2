#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# tests/bus/link/apart.sh PROGRAM SOURCE_DIR PLUGIN [BOARD]: robot and controller as processes, as a user starts them. A controller in plain Python rocks ANTON, as does one in C;
# one that is killed (kill -9) leaves a robot that stands; one that fails is reported at both ends; one of another robot is refused; a robot that nobody controls gives up.
set -u
program=$1 source=$2 plugin=$3 board=${4:-} folder=$(mktemp -d) failed=0 passed=0
trap 'rm -r "$folder"' EXIT
export PYTHONDONTWRITEBYTECODE=1
check() { # WHAT STATUS
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $1"; fi
}
says() { # FILE WORDS: waits until it does, for 60 s at most; `tail` sleeps until the file grows
    touch "$1"
    timeout 60 grep -q -- "$2" <(exec tail -n +1 -f "$1")
}
port() { echo $((20000 + ($$ * 10 + $1) % 12000)); } # below those that the system assigns by itself (from 32768 on)

if [ -x /usr/bin/python3 ]; then
    timeout 100 "$program" serve "$source/examples/link/rock.yaml" --link udp:$(port 1) --wait 60 --out "$folder/rock" >"$folder/rock.txt" 2>&1 &
    robot=$!
    timeout 100 /usr/bin/python3 "$source/examples/link/rock.py" $(port 1) >/dev/null
    check "the controller in Python ends with its robot" $?
    wait $robot
    check "ANTON rocks as the scene expects" $?
fi

# a controller in C, by its own name and over a wire
rock=$source/examples/link/rock.yaml
summary() { sed -E 's/"(wall|rtf)": [^,]*,//g' "$folder/$1/summary.json"; }
"$program" run "$rock" --plugin "$plugin" --quiet --out "$folder/plugin" 2>"$folder/plugin.txt"
check "ANTON rocks by a controller in C as the scene expects" $?
timeout 100 "$program" serve "$rock" --link udp:$(port 5) --wait 60 --quiet --out "$folder/plugged" >"$folder/plugged.txt" 2>&1 &
robot=$!
timeout 100 "$program" control "$rock" --link udp:$(port 5) --plugin "$plugin" --quiet >>"$folder/plugged.txt" 2>&1
check "so it does over a wire" $?
wait $robot
check "and its robot ends" $?
[ "$(summary plugin)" = "$(summary plugged)" ]
check "with the numbers of one process" $?
# a robot that gave its controller up sends it the reason
timeout 100 "$program" serve "$rock" --link udp:$(port 8) --wait 60 --wall --time 0.5 --set expect=[] --out "$folder/cut" >"$folder/cut.txt" 2>&1 &
robot=$!
timeout 100 "$program" control "$rock" --link udp:$(port 8) --plugin "$plugin" --faults cut=50 >"$folder/cut-control.txt" 2>&1
grep -q "the robot ended the link: too many consecutive cycles without its answer" "$folder/cut-control.txt"
check "a robot that gave its controller up sends it the reason" $?
wait $robot
[ $? = 3 ]
check "and is held" $?
# it takes the place of the gait that a scene names: then it is named at both ends, and the robot records its signals
walk=("$source/experiments/anton-tripod.yaml" --plugin "$plugin" --set expect=[])
timeout 100 "$program" serve "${walk[@]}" --time 0.2 --link udp:$(port 7) --wait 60 --quiet --out "$folder/replaced" >"$folder/replaced.txt" 2>&1 &
robot=$!
timeout 100 "$program" control "${walk[@]}" --link udp:$(port 7) --quiet >>"$folder/replaced.txt" 2>&1
check "a plug-in takes the place of a gait over a wire" $?
wait $robot && grep -q "anton-tripod.yaml:.* warning: \"control.margin\" are signals of the scene's controller (gait), whose place another has taken" "$folder/replaced.txt"
check "and its robot ends, with a word about the signals of the gait" $?
"$program" control "$rock" >"$folder/lacks.txt" 2>&1
[ $? = 2 ] && grep -q -- "--plugin FILE of .footfall run., .control. and .serve." "$folder/lacks.txt"
check "a missing controller is reported with the option that brings one" $?
"$program" run "$rock" --plugin "$folder/none.so" --out "$folder/none" >"$folder/none.txt" 2>&1
[ $? = 2 ] && grep -q "none.so: cannot open" "$folder/none.txt"
check "a missing plug-in is reported" $?
library=$(awk '$6 ~ /\/libc\.so/ {print $6; exit}' /proc/self/maps)
if [ -n "$library" ]; then
    "$program" run "$rock" --plugin "$library" --out "$folder/none" >"$folder/symbol.txt" 2>&1
    [ $? = 2 ] && grep -q "libc.* has no symbol footfall_plugin" "$folder/symbol.txt"
    check "so is one without its symbol" $?
fi

# a controller that fails: the robot is held, and both ends say so
echo 'function cycle(t) if t > 0.1 then error("out of ideas") end end' >"$folder/fails.lua"
fails=(--set "control={lua: $folder/fails.lua}" --set expect=[])
if "$program" run "$rock" "${fails[@]}" --time 0.05 --quiet --out "$folder/fails" >/dev/null 2>&1; then # else without Lua
    timeout 100 "$program" serve "$rock" "${fails[@]}" --time 0.3 --link udp:$(port 6) --wait 60 --quiet --out "$folder/fails" >"$folder/held.txt" 2>&1 &
    robot=$!
    timeout 100 "$program" control "$rock" "${fails[@]}" --link udp:$(port 6) >"$folder/fails.txt" 2>&1
    [ $? = 3 ] && grep -q "out of ideas" "$folder/fails.txt"
    check "a controller that fails ends with code 3" $?
    wait $robot
    [ $? = 3 ] && grep -q "in fault and held the robot" "$folder/fails/summary.json"
    check "as does its robot" $?
    grep -q "error: .* in fault and held the robot" "$folder/held.txt"
    check "and says why, though quiet" $?
fi

scene=$source/experiments/servo-hexapod-walk.yaml
timeout 100 "$program" serve "$scene" --link tcp:$(port 2) --wait 60 --wall --set expect=[] --time 3 --out "$folder/killed" >"$folder/killed.txt" 2>&1 &
robot=$!
"$program" control "$scene" --link tcp:$(port 2) --quiet >/dev/null 2>&1 &
controller=$!
says "$folder/killed.txt" "a controller is connected"
sleep 0.5
kill -9 $controller
wait $controller 2>/dev/null
wait $robot
[ $? = 3 ]
check "a robot whose controller is killed ends with code 3" $?
grep -q "lost its controller" "$folder/killed.txt"
check "and says so" $?

timeout 100 "$program" serve "$scene" --link shm:apart-$$ --wait 90 --time 0.1 --out "$folder/other" >"$folder/other.txt" 2>&1 &
robot=$!
timeout 100 "$program" control "$source/experiments/anton-tripod.yaml" --link shm:apart-$$ >"$folder/refused.txt" 2>&1
[ $? = 2 ] && grep -q "does not match the robot: the robot has no sensor 'sensors\." "$folder/refused.txt"
check "a controller of another robot is refused, with what differs" $?
kill $robot
wait $robot 2>/dev/null
timeout 100 "$program" serve "$scene" --link udp:$(port 3) --wait 0.2 --out "$folder/nobody" >"$folder/nobody.txt" 2>&1
[ $? = 3 ] && grep -q "no controller connected" "$folder/nobody.txt"
check "a robot that nobody controls gives up" $?
timeout 100 "$program" control "$scene" --link udp:$(port 3) --timeout 0.2 >"$folder/alone.txt" 2>&1
[ $? = 2 ] && grep -q "no robot answered" "$folder/alone.txt"
check "a controller without a robot gives up" $?
for wire in tcp:$(port 3) shm:apart-nobody-$$; do
    timeout 100 "$program" control "$scene" --link $wire --timeout 0.2 >"$folder/alone.txt" 2>&1
    [ $? = 2 ] && grep -q "no robot answered within 0.2 s" "$folder/alone.txt"
    check "for the given time, over $wire" $?
    rm -f "$folder/ended.txt"
    "$program" control "$scene" --link $wire --timeout 90 >"$folder/ended.txt" 2>&1 & # not by `timeout`, which hands a signal on twice
    controller=$!
    says "$folder/ended.txt" "looking for a robot"
    kill $controller
    wait $controller
    [ $? = 3 ] && grep -q "error: interrupted" "$folder/ended.txt"
    check "and ends on request, over $wire" $?
done
"$program" serve "$scene" --link smoke:1 >"$folder/wire.txt" 2>&1
[ $? = 2 ] && grep -q "is not a wire" "$folder/wire.txt"
check "an invalid address is reported" $?

# a board without anything of Footfall, on a pseudo terminal: all joints at zero, then without its controller, when it ends its pulses after five seconds
cd "$source"
"$program" control experiments/servo-hexapod-walk.yaml --interface | diff - <(tail -n +4 examples/link/servo_hexapod.h)
check "the header of the servo board is what the program says" $?
[ "$(wc -l <examples/link/servo_board.c)" -le 200 ]
check "its program has 200 lines" $?
if [ -x "$board" ] && "$program" check examples/link/one_joint.yaml >/dev/null 2>&1; then # needs Lua
    timeout 100 "$board" >"$folder/board.txt" &
    robot=$!
    says "$folder/board.txt" "^serial:"
    timeout 100 "$program" control examples/link/one_joint.yaml --link "$(head -1 "$folder/board.txt")" --quiet >"$folder/boarded.txt" 2>&1 &
    controller=$!
    says "$folder/board.txt" " us$"
    grep -q "^1506.0 1496.0 1500.0 1502.5 .* us$" "$folder/board.txt" # 1500 us and the trims of servo_table.h, in steps of 0.5 us
    check "the servo board makes pulses" $?
    kill $controller # it says BYE
    wait $controller
    says "$folder/board.txt" "pulses off"
    check "and ends them without its controller" $?
    kill $robot
    wait $robot 2>/dev/null
fi

python_scene=python/examples/tripod.yaml
brief="--allow python --set expect=[] --quiet"
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 # Python never frees all it has
"$program" run $python_scene $brief --time 0.3 --out "$folder/together" >"$folder/together.txt" 2>&1
status=$?
if ! grep -q "a controller in Python needs" "$folder/together.txt"; then # else it is not built, or not here
    check "a controller in Python works in one process" $status
    timeout 100 "$program" serve $python_scene $brief --time 0.3 --link udp:$(port 4) --wait 60 --out "$folder/python" >"$folder/python.txt" 2>&1 &
    robot=$!
    timeout 100 "$program" control $python_scene --allow python --link udp:$(port 4) --quiet >>"$folder/python.txt" 2>&1
    check "a controller in Python works over a wire" $?
    wait $robot
    check "and its robot ends" $?
    numbers() { /usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["metrics"])' "$folder/$1/summary.json"; }
    diff <(numbers together) <(numbers python) >/dev/null
    check "with the numbers of one process" $?
fi

[ $failed = 0 ] || cat "$folder"/*.txt
echo "$passed passed, $failed failed"
[ $failed = 0 ]
