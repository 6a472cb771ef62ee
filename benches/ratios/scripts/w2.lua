-- A duel of sorted dice, ten against ten: losses of the attacker * 32 + those of the defender.
local function falling(x, y) return x > y end

local function throw(many)
  local dice = {}
  for n = 1, many do dice[n] = math.random(1, 6) end
  table.sort(dice, falling)
  return dice
end

local function trial()
  local a, d = 10, 10
  while a > 0 and d > 0 do
    local mine, theirs = throw(math.min(a, 3)), throw(math.min(d, 2))
    local both, lost = math.min(#mine, #theirs), 0
    for n = 1, both do
      if mine[n] > theirs[n] then lost = lost + 1 end
    end
    d = d - lost
    a = a - (both - lost)
  end
  return (10 - a) * 32 + 10 - d
end

return trial
