-- SPDX-FileCopyrightText: 2026 The Footfall authors
-- SPDX-License-Identifier: Apache-2.0
--
-- ANTON balances by the forces under its feet. The centre of pressure is where the ground's force acts,
--     x = sum(F_i x_i) / sum(F_i)        F_i vertical force, x_i place of foot i
-- and in rest the centre of mass is above it. The script moves the body over its feet until the centre of pressure is in their middle,
-- whatever pulls at the robot: then front and rear, left and right feet carry the same. It knows forces and joint angles only.
-- Parameters: time [s] in which an error falls to a third, reach [m].

local COXA, FEMUR, TIBIA, FOOT = 0.05, 0.10, 0.15, 0.012 -- [m] as in anton.yaml
local HIPS = {F = 0.18, M = 0.0, R = -0.18} -- hip ahead of the middle one [m]
local HIP, SIDE, HEIGHT = 0.08, 0.14, 0.1064
local FILTER = 0.2                          -- of the centre of pressure [s]

memory = {x = 0, y = 0, shift = {x = 0, y = 0}} -- centre of pressure, how far the body has moved [m]

function start(robot)
   time, reach = robot.parameters.time or 0.5, robot.parameters.reach or 0.04
   period, legs = robot.period, robot.legs
   for _, leg in ipairs(legs) do
      leg.hip = HIPS[leg.name:sub(1, 1)]
      leg.left = leg.name:sub(2, 2) == "L" and 1 or -1
      assert(leg.force and robot.sensors[leg.force .. ".fy"], "leg " .. leg.name .. " has no force sensor")
   end
end

-- Vertical force and place of a foot, from its sensor and the potentiometers of its leg.
local function feel(leg, sensors)
   local function angle(i) return sensors["pot_" .. leg.joints[i] .. ".position"] end
   local coxa, femur = angle(1), angle(2)
   local tibia = femur + angle(3)
   local force = leg.left * sensors[leg.force .. ".fy"] * math.sin(tibia) + sensors[leg.force .. ".fz"] * math.cos(tibia)
   local r = COXA + FEMUR * math.cos(femur) + (TIBIA - FOOT) * math.cos(tibia) -- a ball stands below its middle
   return force, leg.hip + r * math.sin(coxa), leg.left * (HIP + r * math.cos(coxa))
end

-- Joint angles that put the foot x ahead of, y beside and z above its hip.
local function angles(x, y, z)
   local r = math.sqrt(x * x + y * y) - COXA
   local d2 = r * r + z * z
   local tibia = -math.acos((d2 - FEMUR * FEMUR - TIBIA * TIBIA) / (2 * FEMUR * TIBIA))
   local femur = math.atan(z, r) + math.acos((d2 + FEMUR * FEMUR - TIBIA * TIBIA) / (2 * FEMUR * math.sqrt(d2)))
   return {math.atan(x, y), femur, tibia}
end

local function bound(value) return math.max(-reach, math.min(reach, value)) end

function cycle(t, sensors, references)
   local sum, mx, my, fx, fy = 0, 0, 0, 0, 0
   for _, leg in ipairs(legs) do
      local force, x, y = feel(leg, sensors)
      sum, mx, my, fx, fy = sum + force, mx + force * x, my + force * y, fx + x / #legs, fy + y / #legs
   end
   if sum < 10 then return end -- in the air: nothing to balance on
   local m, shift = memory, memory.shift
   -- From the middle of the feet. A body that sways presses on its feet as if it were farther sideways, h w^2 / g = 10 times so at 5 Hz: filtered.
   m.x = m.x + (mx / sum - fx - m.x) * period / FILTER
   m.y = m.y + (my / sum - fy - m.y) * period / FILTER
   shift.x = bound(shift.x - m.x * period / time)
   shift.y = bound(shift.y - m.y * period / time)
   for _, leg in ipairs(legs) do
      for i, angle in ipairs(angles(-shift.x, SIDE - leg.left * shift.y, -HEIGHT)) do
         references[leg.joints[i] .. ".position"] = angle
      end
   end
end
