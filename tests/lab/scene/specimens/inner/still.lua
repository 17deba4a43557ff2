-- SPDX-FileCopyrightText: 2026 The Footfall authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Does nothing with its parameter `size`.
function start(robot) size = robot.parameters.size end
function cycle() end
function command(t, given) end
