-- Of ten dice the three highest, summed.
local function trial()
  local dice = {}
  for n = 1, 10 do dice[n] = math.random(1, 6) end
  table.sort(dice)
  return dice[8] + dice[9] + dice[10]
end

return trial
