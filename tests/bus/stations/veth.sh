#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# tests/bus/stations/veth.sh PROGRAM SOURCE_DIR: ANTON at one end of a veth pair, the hardware layer with our master at the other, frames through the kernel,
# in a network namespace of their own. Skipped (77) where namespaces are forbidden.
set -u
if [ "${3:-}" != inside ]; then
    for tool in unshare ip; do
        command -v "$tool" >/dev/null || { echo "skipped: there is no '$tool'" && exit 77; }
    done
    unshare -Urn ip link add veth0 type veth peer name veth1 2>/dev/null || { echo "skipped: network namespaces are not allowed here" && exit 77; }
    exec unshare -Urn "$0" "$1" "$2" inside
fi
program=$1 source=$2 folder=$(mktemp -d) failed=0 passed=0
trap 'rm -r "$folder"' EXIT
check() { # WHAT STATUS
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $1"; fi
}
scene=$source/experiments/anton-tripod.yaml
same=(--set expect=[] --set metrics={} --set record.csv=true)
short=(--time 0.1 "${same[@]}")

ip link add veth0 type veth peer name veth1 && ip link set veth0 up && ip link set veth1 up
check "a veth pair" $?
timeout 100 "$program" ethercat "$scene" --interface veth0 "${short[@]}" --eni "$folder/anton.xml" --esi "$folder/esi.xml" --out "$folder/run" >"$folder/robot.txt" 2>&1 &
robot=$!
timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 "${short[@]}" --timeout 50 >"$folder/master.txt" 2>&1 </dev/null # cycles at 0, 1, .. 99 ms
check "the master reaches OP and leads to the end" $?
wait $robot
check "the run ends with its last cycle" $?
grep -q "^35 slaves at veth1, 504 bytes of outputs, 1144 of inputs" "$folder/master.txt"
check "24 drives, 6 force sensors, a gyroscope, 4 gateways" $?
grep -q "Active" "$folder/master.txt" && grep -q ", 100 exchanges, .* 0 working counters wrong, 0 emergencies" "$folder/master.txt" # frames before the robot is there get lost
check "the layer gets active by sound exchanges" $?
grep -q "100 cycles, 100 of them with process data" "$folder/robot.txt"
check "each exchange is a cycle of 1 ms; the robot counts the same" $?
[ "$(grep -c "<Slave>" "$folder/anton.xml")" = 35 ] && [ "$(grep -c "<Device " "$folder/esi.xml")" = 4 ] # drives, force sensors, gyroscope, gateways
check "its network and its devices are described" $?
if command -v xmllint >/dev/null; then
    xmllint --noout "$folder/anton.xml" "$folder/esi.xml"
    check "the descriptions are well-formed XML" $?
fi

# by the network description that the robot wrote, with Sync0, the same motion to the bit; and refused where the description names another vendor
timeout 100 "$program" ethercat "$scene" --interface veth0 "${short[@]}" --out "$folder/again" >"$folder/robot2.txt" 2>&1 &
robot=$!
sed 's|<VendorId>61455</VendorId>|<VendorId>2</VendorId>|' "$folder/anton.xml" >"$folder/wrong.xml"
timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 --eni "$folder/wrong.xml" "${short[@]}" --timeout 50 >"$folder/bad.txt" 2>&1 </dev/null
[ $? = 3 ] && grep -q "its vendor is 0000F00F, 00000002 is expected" "$folder/bad.txt"
check "another vendor than planned is refused" $?
timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 --eni "$folder/anton.xml" --sync0 "${short[@]}" --timeout 50 >"$folder/master2.txt" 2>&1 </dev/null
check "by the network description, with Sync0" $?
wait $robot
check "the run ends again" $?
cmp "$folder/run/run.csv" "$folder/again/run.csv"
check "the recordings agree" $?

# Frames get lost, or a cable is cut and reconnected: both ends continue, and end together. Jitter puts one cycle more before the end at 1.1 s.
both() { # MILLISECONDS, ROBOT'S OPERATOR, ARGUMENTS OF THE MASTER...
    local time=$(($1 / 1000)).$(($1 % 1000))
    timeout 100 "$program" ethercat "$scene" --interface veth0 --time $time "${same[@]}" --operator "$2" --out "$folder/both" >"$folder/robot.txt" 2>&1 &
    robot=$!
    timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 --time $time "${same[@]}" "${@:3}" >"$folder/master.txt" 2>&1 </dev/null && wait $robot &&
        grep -q "$1 cycles, $1 of them with process data" "$folder/robot.txt"
}
both "${FOOTFALL_LOST:-1100}" "0.3 lose 3; 0.4 lose 0" --tolerate 1000 --timeout 20
check "lost frames are borne, and both ends come to their end" $?
both 500 "0.15 cut FL_femur; 0.2 reconnect FL_femur" --operator "0.35 acknowledge; 0.4 activate" --timeout 50
check "after a cut cable the robot is led again, and both ends come to their end" $?

# A master ends while the robot stands, and another one scans and leads on: what to do about slaves that come newly. Time stands still between them.
timeout 100 "$program" ethercat "$scene" --interface veth0 --time 0.2 "${same[@]}" --out "$folder/again" >"$folder/robot.txt" 2>&1 &
robot=$!
timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 --time 0.1 "${same[@]}" --timeout 50 --operator "0.09 deactivate" >"$folder/master.txt" 2>&1 </dev/null &&
    timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 --time 0.1 "${same[@]}" --timeout 50 >"$folder/master2.txt" 2>&1 </dev/null &&
    wait $robot && grep -q " Active" "$folder/master2.txt" && grep -q "200 cycles, 200 of them with process data" "$folder/robot.txt"
check "a master that is started again leads the robot on" $?

# ends that do not fit
timeout 100 "$program" ethercat "$scene" --interface veth0 --time 0.2 "${same[@]}" --out "$folder/short" >"$folder/robot.txt" 2>&1 &
robot=$!
timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 --time 5 "${same[@]}" >"$folder/master.txt" 2>&1 </dev/null && wait $robot &&
    grep -q "^the robot has shut down, at 0.2" "$folder/master.txt"
check "a robot that ends says so, and its master ends well" $?
timeout 100 "$program" ethercat "$scene" --interface veth0 --time 0.3 "${same[@]}" --operator "0.1 reset FL_femur" --out "$folder/reset" >"$folder/robot.txt" 2>&1 &
robot=$!
timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 --time 0.3 "${same[@]}" >"$folder/master.txt" 2>&1 </dev/null
[ $? = 3 ] && wait $robot && grep -q "Fault: bus: .*slave 8 'FL_femur' (0x1008) does not answer" "$folder/master.txt" &&
    [ "$(grep -c "^bus: " "$folder/master.txt")" -le 2 ]
check "a slave that lost its power is named, in a line for each event" $?
timeout 100 "$program" ethercat "$scene" --interface veth0 --time 0.1 "${same[@]}" --operator "0 cut gateway_3" --out "$folder/cut" >"$folder/robot.txt" 2>&1 &
robot=$!
timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 "${short[@]}" >"$folder/master.txt" 2>&1 </dev/null
[ $? = 2 ] && grep -q "slave 'gateway_3': it is not on the bus, and sensor 'sensors.pot_FR_femur.position' needs its channels" "$folder/master.txt"
check "a missing gateway is refused with its first sensor" $?
kill -INT $robot && wait $robot

ip link set veth1 down
"$program" hardware "$scene" --bus ethercat:veth1 </dev/null >"$folder/bad.txt" 2>&1
[ $? = 2 ] && grep -q "interface 'veth1' is down" "$folder/bad.txt"
check "an interface that is down is reported" $?
"$program" hardware "$scene" --bus ethercat:veth0 --operator "1 fly" </dev/null >"$folder/bad.txt" 2>&1
[ $? = 2 ] && grep -q "^--operator: error: 'fly' is not a command for a real bus" "$folder/bad.txt" && ! grep -q "no link" "$folder/bad.txt"
check "wrong commands by time are refused before slaves are searched for" $?
timeout 100 "$program" ethercat "$scene" --interface veth0 --wall --time 0.3 "${same[@]}" --out "$folder/dark" >"$folder/bad.txt" 2>&1
[ "$(grep -c "interface 'veth0': it has no link" "$folder/bad.txt")" = 1 ]
check "a cable without another end is reported once" $?
ip link set veth1 up
"$program" hardware "$scene" --bus ethercat:veth1 --tolerate 1.5 >"$folder/bad.txt" 2>&1 </dev/null
[ $? = 1 ] && grep -q "whole number" "$folder/bad.txt"
check "half an exchange is no number" $?
"$program" hardware "$scene" --bus ether:x >"$folder/bad.txt" 2>&1 </dev/null
[ $? = 2 ] && grep -q "or ethercat:INTERFACE" "$folder/bad.txt"
check "wires that there are include EtherCAT" $?

"$program" ethercat "$scene" --interface nowhere0 --quiet >"$folder/bad.txt" 2>&1
[ $? = 2 ] && grep -q "there is no network interface 'nowhere0'" "$folder/bad.txt"
check "an interface that is not there is named" $?
"$program" ethercat "$scene" >"$folder/bad.txt" 2>&1
[ $? = 1 ] && grep -q "interface NAME is missing" "$folder/bad.txt"
check "without an interface it is wrong use" $?
"$program" hardware "$scene" --bus ethercat:veth1 --wait 0.1 >"$folder/bad.txt" 2>&1 </dev/null
[ $? = 3 ] && grep -q "^waiting for slaves at veth1" "$folder/bad.txt" && grep -q "no slave answers at veth1, for 0.1 s" "$folder/bad.txt"
check "a wire without slaves is reported" $?
"$program" hardware "$scene" --bus ethercat:veth1 --eni "$scene" >"$folder/bad.txt" 2>&1 </dev/null
[ $? = 2 ] && grep -q "anton-tripod.yaml:1:" "$folder/bad.txt"
check "a file that is no network description is refused at its place" $?
"$program" hardware "$scene" --sync0 >"$folder/bad.txt" 2>&1 </dev/null
[ $? = 1 ] && grep -q "go with --bus ethercat" "$folder/bad.txt"
check "options of EtherCAT want EtherCAT" $?

timeout 100 "$program" ethercat "$scene" --interface veth0 --wall --time 0.02 "${same[@]}" --out "$folder/wall" >"$folder/wall.txt" 2>&1
check "in real time the run ends without a master" $?

# A bus whose cycles are too short for any machine: the robot is behind its clock from the first one on.
timeout 100 "$program" ethercat "$scene" --interface veth0 --wall --time "${FOOTFALL_BEHIND:-0.3}" "${same[@]}" --set "effects.bus={period: 10 us, wait: 0, transfer: 0, jitter: 0}" --out "$folder/slow" >"$folder/robot.txt" 2>&1 </dev/null &
robot=$!
timeout 100 "$program" hardware "$scene" --bus ethercat:veth1 --time 0.02 "${same[@]}" --tolerate 1000 --timeout 20 >"$folder/master.txt" 2>&1 </dev/null
[ $? = 3 ] && wait $robot && grep -q " 20 exchanges, " "$folder/master.txt"
check "a robot that is behind its clock answers all the same" $?
grep -q "the robot was never active: after 0.02 s the hardware layer was in state" "$folder/master.txt"
check "a run that never got Active is an error" $?

# A robot that is stopped for 0.3 s has a late cycle, and at least 298 periods of 1 ms without one: its answer to a typed line says that its clock runs.
printf 'burn\n' >"$folder/lines"
"$program" ethercat "$scene" --interface veth0 --wall --time 0.5 "${same[@]}" --out "$folder/stopped" <"$folder/lines" >"$folder/robot.txt" 2>&1 &
robot=$!
for i in $(seq 1000); do grep -q "is not a command" "$folder/robot.txt" && break || sleep 0.02; done
sleep 0.05 && kill -STOP $robot && sleep 0.3 && kill -CONT $robot && wait $robot
[ $? = 0 ] && [ "$(sed -nE 's/.*, [1-9][0-9]* late, ([0-9]+) left out$/\1/p' "$folder/robot.txt")" -ge 298 ]
check "a delay is counted" $?

printf 'burn FL_tibia\n\nlose 0\n' | timeout 100 "$program" ethercat "$scene" --interface veth0 --wall "${short[@]}" --operator "0.01 reset FL_tibia" --out "$folder/typed" >"$folder/typed.txt" 2>&1
[ $? = 0 ] && [ "$(grep -c "is not a command" "$folder/typed.txt")" = 1 ] && grep -q "'burn FL_tibia' is not a command; expected: cut STATION" "$folder/typed.txt"
check "typed lines are commands" $?
"$program" ethercat "$scene" --interface veth0 "${short[@]}" --operator "0.01 cut nobody" --out "$folder/bad" >"$folder/bad.txt" 2>&1
[ $? = 2 ] && grep -q "^--operator: error: 'cut nobody': there is no station 'nobody'" "$folder/bad.txt"
check "wrong commands by time are refused before the run" $?
"$program" ethercat "$scene" --interface veth0 "${short[@]}" --eni "$folder/none/eni.xml" --out "$folder/bad" >"$folder/bad.txt" 2>&1
[ $? = 3 ] && grep -q "none/eni.xml cannot be written" "$folder/bad.txt"
check "a file that cannot be written is named" $?

[ $failed = 0 ] || cat "$folder"/{robot,master,robot2,master2,bad,wall}.txt
echo "$passed passed, $failed failed"
[ $failed = 0 ]
