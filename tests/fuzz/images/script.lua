-- SPDX-FileCopyrightText: 2026 The Footfall authors
-- SPDX-License-Identifier: Apache-2.0
function cycle(t, sensors) end
