-- SPDX-FileCopyrightText: 2026 The Footfall authors
-- SPDX-License-Identifier: Apache-2.0
--
-- BioBiped1 hops on both legs. Motors hold a bent leg, on whose springs the robot bounces; when it rises, knees and
-- ankles extend by `thrust` times (0.3, 1), which in turn grows while hops are lower than `height`: the time of flight
-- gives, t = sqrt(8 height / g). In flight the legs return. Parameters: height [m], gain [rad/s].
local HIP, KNEE, ANKLE = math.rad(15), math.rad(-40), math.rad(-10) -- of the motors in flight
local RISE = 0.06                                                   -- in which the legs extend [s]

memory = {thrust = 0, stands = false, since = 0, flight = 0, extended = -1, hops = 0, knee = 0}

function start(robot)
   wanted = math.sqrt(8 * robot.parameters.height / 9.81)
   gain = robot.parameters.gain
end

local function smooth(x)
   x = math.max(0, math.min(1, x))
   return x * x * (3 - 2 * x)
end

local function see(t, sensors)
   local m = memory
   local touch = sensors["left_touch.touched"] > 0.5
   if touch and not m.stands then
      m.flight = t - m.since
      if m.hops > 0 then m.thrust = math.max(0, math.min(1, m.thrust + gain * (wanted - m.flight))) end
      m.stands, m.since, m.extended, m.hops = true, t, -1, m.hops + 1
   elseif m.stands and not touch and t - m.since > 0.05 then
      m.stands, m.since = false, t
   end
   -- The leg is shortest where its knee and ankle stop bending.
   local rate = sensors["left_knee_rate.speed"] - sensors["left_ankle_rate.speed"]
   if m.stands and m.extended < 0 and t - m.since > 0.03 and rate > 0 then m.extended = t end
end

function cycle(t, sensors, references)
   see(t, sensors)
   local m = memory
   local part = m.stands and m.extended >= 0 and smooth((t - m.extended) / RISE) or 0
   for _, leg in ipairs({"left_", "right_"}) do
      references[leg .. "hip.position"] = HIP
      references[leg .. "knee.position"] = KNEE + 0.3 * m.thrust * part
      references[leg .. "ankle.position"] = -(ANKLE - m.thrust * part)
   end
end
