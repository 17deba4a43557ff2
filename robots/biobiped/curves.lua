-- SPDX-FileCopyrightText: 2026 The Footfall authors
-- SPDX-License-Identifier: Apache-2.0
--
-- BioBiped1 tracks the joint angles of slow jogging at 1.8 m/s (E7): Fourier series over the stride, s = 0 at
-- touch-down, fitted to the shape of human running curves for the lengths and masses of this robot,
--     angle [deg] = a0 + sum c_k cos(2 pi k s) + d_k sin(2 pi k s)
-- The right leg is half a stride behind. Motors get angle and speed, whatever springs lie between them and the joints.
-- From the time `from` on it counts steps and humps of the force under the feet: maxima that stand out by `hump` [N].
local PERIOD = 0.56 -- of a stride [s]
local CURVES = {
   hip = {21.34, c = {13.31, -5.07, -2.63, -0.60}, d = {-13.05, 1.08, -1.26, -0.70}},
   knee = {-44.57, c = {6.76, 10.99, 2.70, 0.16}, d = {15.70, -12.35, 0.74, 0.94}},
   ankle = {-8.20, c = {8.04, -12.01, -2.44, 0.87}, d = {5.46, 4.98, 2.38, 3.65}},
}
local SIGN = {hip = 1, knee = 1, ankle = -1} -- of the coordinate of its drive
local LEGS = {left_ = 0, right_ = 0.5}

memory = {steps = 0, humps = 0, left_ = {force = 0, extreme = 0, rises = true}, right_ = {force = 0, extreme = 0, rises = true}}

function start(robot) from, hump = robot.parameters.from or 0, robot.parameters.hump or 20 end

-- A hump is over when the force has fallen from its greatest value, and the next begins when it has risen again.
local function count(foot, force)
   local m = memory
   if foot.force == 0 and force > 0 then m.steps = m.steps + 1 end
   foot.force = force
   foot.extreme = foot.rises and math.max(foot.extreme, force) or math.min(foot.extreme, force)
   if math.abs(force - foot.extreme) < hump then return end
   if foot.rises then m.humps = m.humps + 1 end
   foot.rises, foot.extreme = not foot.rises, force
end

-- Angle and speed of a joint at the phase s [rad, rad/s].
local function follow(curve, s)
   local angle, slope = curve[1], 0
   for k = 1, 4 do
      local w = 2 * math.pi * k
      angle = angle + curve.c[k] * math.cos(w * s) + curve.d[k] * math.sin(w * s)
      slope = slope + w * (curve.d[k] * math.cos(w * s) - curve.c[k] * math.sin(w * s))
   end
   return math.rad(angle), math.rad(slope) / PERIOD
end

function cycle(t, sensors, references)
   for leg, shift in pairs(LEGS) do
      if t >= from then count(memory[leg], sensors[leg .. "touch.force"]) end
      for joint, curve in pairs(CURVES) do
         local angle, speed = follow(curve, t / PERIOD + shift)
         references[leg .. joint .. ".position"] = SIGN[joint] * angle
         references[leg .. joint .. ".speed"] = SIGN[joint] * speed
      end
   end
end
