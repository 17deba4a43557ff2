-- SPDX-FileCopyrightText: 2026 The Footfall authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Sways one joint of a robot and keeps all others at zero: signs, zeros and limits of a real robot, which hangs meanwhile.
-- `joint` is its number, leg by leg as in the file of the robot; 0: none.

parameters = {joint = {0, low = 0, high = 48},
              amplitude = {0.2, low = 0, high = 1.6, unit = "rad"},
              period = {4, low = 1, high = 20, unit = "s"}}

function start(robot)
   joints = {}
   for _, leg in ipairs(robot.legs) do
      for _, name in ipairs(leg.joints) do joints[#joints + 1] = name end
   end
   if joints[parameters.joint] then print(joints[parameters.joint]) end
end

function cycle(t, sensors, references)
   for i, name in ipairs(joints) do
      local sways = i == parameters.joint
      references[name .. ".position"] = sways and parameters.amplitude * math.sin(2 * math.pi * t / parameters.period) or 0
   end
end
