#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# tests/stations/veth.sh PROGRAM MASTER SOURCE_DIR: ANTON at one end of a veth pair, a master at the other, frames through the kernel, in a network
# namespace of their own. Skipped (77) where namespaces are forbidden.
set -u
if [ "${4:-}" != inside ]; then
    for tool in unshare ip; do
        command -v "$tool" >/dev/null || { echo "skipped: there is no '$tool'" && exit 77; }
    done
    unshare -Urn ip link add veth0 type veth peer name veth1 2>/dev/null || { echo "skipped: network namespaces are not allowed here" && exit 77; }
    exec unshare -Urn "$0" "$1" "$2" "$3" inside
fi
program=$1 master=$2 source=$3 folder=$(mktemp -d) failed=0 passed=0
trap 'rm -r "$folder"' EXIT
check() { # WHAT STATUS
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $1"; fi
}
scene=$source/experiments/anton-tripod.yaml
short=(--time 0.02 --set expect=[] --set metrics={} --set "effects.bus={jitter: 0}")

ip link add veth0 type veth peer name veth1 && ip link set veth0 up && ip link set veth1 up
check "a veth pair" $?
timeout 100 "$program" ethercat "$scene" --interface veth0 "${short[@]}" --eni "$folder/eni.xml" --esi "$folder/esi.xml" --out "$folder/run" >"$folder/robot.txt" 2>&1 &
robot=$!
timeout 100 "$master" veth1 21 >"$folder/master.txt" # cycles at 0, 1, .. 20 ms
check "the master reaches OP with right working counters" $?
wait $robot
check "the run ends with its last cycle" $?
grep -qx "slaves 35" "$folder/master.txt"
check "24 drives, 6 force sensors, a gyroscope, 4 gateways" $?
[ "$(grep -c "^name .._\(coxa\|femur\|tibia\)$" "$folder/master.txt")" = 18 ] && grep -qx "name gyro" "$folder/master.txt"
check "with the names of the robot's file" $?
grep -qx "cycles 21" "$folder/master.txt" && grep -qx "time 20000000" "$folder/master.txt"
check "each exchange is a cycle of 1 ms on the distributed clock" $?
[ "$(grep -c "<Slave>" "$folder/eni.xml")" = 35 ] && [ "$(grep -c "<Device " "$folder/esi.xml")" = 4 ] # drives, force sensors, gyroscope, gateways
check "its network and its devices are described" $?
if command -v xmllint >/dev/null; then
    xmllint --noout "$folder/eni.xml" "$folder/esi.xml"
    check "the descriptions are well-formed XML" $?
fi
grep -q "21 cycles, 21 of them with process data" "$folder/robot.txt"
check "the robot counts the same" $?

"$program" ethercat "$scene" --interface nowhere0 --quiet >"$folder/bad.txt" 2>&1
[ $? = 2 ] && grep -q "there is no network interface 'nowhere0'" "$folder/bad.txt"
check "an interface that is not there is named" $?
"$program" ethercat "$scene" >"$folder/bad.txt" 2>&1
[ $? = 1 ] && grep -q "interface NAME is missing" "$folder/bad.txt"
check "without an interface it is wrong use" $?

timeout 100 "$program" ethercat "$scene" --interface veth0 --wall "${short[@]}" --out "$folder/wall" >"$folder/wall.txt" 2>&1
check "by the wall clock the run ends without a master" $?

printf 'burn FL_tibia\n\nlose 0\n' | timeout 100 "$program" ethercat "$scene" --interface veth0 --wall "${short[@]}" --operator "0.01 reset FL_tibia" --out "$folder/typed" >"$folder/typed.txt" 2>&1
[ $? = 0 ] && [ "$(grep -c "is no command" "$folder/typed.txt")" = 1 ] && grep -q "'burn FL_tibia' is no command; there are: cut STATION" "$folder/typed.txt"
check "typed lines are commands" $?
"$program" ethercat "$scene" --interface veth0 "${short[@]}" --operator "0.01 cut nobody" --out "$folder/bad" >"$folder/bad.txt" 2>&1
[ $? = 2 ] && grep -q "there is no station 'nobody'" "$folder/bad.txt"
check "wrong commands by time are refused before the run" $?
"$program" ethercat "$scene" --interface veth0 "${short[@]}" --eni "$folder/none/eni.xml" --out "$folder/bad" >"$folder/bad.txt" 2>&1
[ $? = 2 ] && grep -q "none/eni.xml: cannot be written" "$folder/bad.txt"
check "a file that cannot be written is named" $?

[ $failed = 0 ] || cat "$folder"/{robot,master,wall}.txt
echo "$passed passed, $failed failed"
[ $failed = 0 ]
