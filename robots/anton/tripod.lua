-- SPDX-FileCopyrightText: 2026 The Footfall authors
-- SPDX-License-Identifier: Apache-2.0
--
-- ANTON walks in tripod gait: front and rear leg of one side and the middle leg of the other stand while the other three swing.
-- A foot that stands goes back under the body at the walking speed, one that swings goes ahead along half a sine. The scene may give
-- `speed` [m/s], and commands change it. docs/controllers.md explains the rest.

local COXA, FEMUR, TIBIA = 0.05, 0.10, 0.15    -- [m] as in anton.yaml
local SIDE, HEIGHT = 0.14, 0.1064              -- foot beside and below its hip [m]
local FIRST = {FL = true, MR = true, RL = true} -- the tripod that swings first

-- Numbers that can be changed while it walks; the studio shows a slider for each.
parameters = {step = {1.2, low = 0.6, high = 3, unit = "s"},        -- a whole cycle
              lift = {0.03, low = 0.005, high = 0.06, unit = "m"}}  -- of a foot that swings

memory = {phase = 0, speed = 0, command = 0}   -- saved with the simulation, recorded as control.phase and so on

function start(robot)
   memory.command = robot.parameters.speed or 0.1
   period, legs = robot.period, robot.legs
   for _, leg in ipairs(legs) do
      leg.coxa, leg.femur, leg.tibia = leg.joints[1], leg.joints[2], leg.joints[3]
   end
end

function command(t, values)
   memory.command = values.speed
end

-- Joint angles that put the foot x ahead of, SIDE beside and z above its hip; the knee is up.
local function angles(x, z)
   local r = math.sqrt(x * x + SIDE * SIDE) - COXA
   local d2 = r * r + z * z
   local d = math.sqrt(d2)
   local tibia = -math.acos((d2 - FEMUR * FEMUR - TIBIA * TIBIA) / (2 * FEMUR * TIBIA))
   local femur = math.atan(z, r) + math.acos((d2 + FEMUR * FEMUR - TIBIA * TIBIA) / (2 * FEMUR * d))
   return math.atan(x, SIDE), femur, tibia
end

-- Where a foot is at its phase: 0 to 0.5 it swings, 0.5 to 1 it stands.
local function foot(phase, stride, up)
   if phase >= 0.5 then return stride * (1.5 - 2 * phase), 0 end
   local u = 2 * phase
   return stride * (u * u * (3 - 2 * u) - 0.5), up * math.sin(math.pi * u)
end

function cycle(t, sensors, references)
   local m, step = memory, parameters.step
   m.speed = m.speed + (m.command - m.speed) * math.min(1, period / 0.5)  -- no jumps
   m.phase = (m.phase + period / step) % 1
   local up = parameters.lift * math.min(1, math.abs(m.speed) / 0.01)             -- standing still, feet stay down
   for _, leg in ipairs(legs) do
      local x, z = foot((m.phase + (FIRST[leg.name] and 0 or 0.5)) % 1, m.speed * step / 2, up)
      local coxa, femur, tibia = angles(x, z - HEIGHT)
      references[leg.coxa .. ".position"] = coxa
      references[leg.femur .. ".position"] = femur
      references[leg.tibia .. ".position"] = tibia
   end
end
