memory = {phase = 0, on = true, n = 1, legs = {{x = 0}, {x = 0.5}}}
function start(robot) speed = robot.parameters.speed print(robot.name, #robot.legs) end
function command(t, values) memory.phase = values.speed end
function cycle(t, s, r)
  local m, sum = memory, 0
  m.phase = m.phase + 0.01 * math.random()
  m.n = m.n + math.random(1, 3)
  m.on = not m.on
  for k, leg in ipairs(m.legs) do leg.x = leg.x + k * math.sin(m.phase) end
  for k, v in pairs({a = 1e16, b = 1, [3] = -1e16, [true] = 1}) do sum = sum + v end
  local list = {} for i = 1, 9 do table.insert(list, 1, i) end
  table.sort(list, function(a, b) return a > b end)
  r['hinge.force'] = s['pot.position'] - m.legs[2].x + (m.on and 1 or 0) + m.n % 2 + sum + #table.concat(list, ",")
  r['hinge.position'] = pcall(error, string.rep("x", 10)) and 1 or 0 / 0
end
