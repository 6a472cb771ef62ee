-- Six turns under fire: models * 10 + markers * 2 + destroyed.
local function die() return math.random(1, 6) end

local function trial()
  local models, markers, destroyed = 20, 2, false
  local ld, nv = 3, 4
  for _ = 1, 6 do
    if not destroyed and markers > 0 then
      local need = nv
      if markers >= 2 then need = nv - (markers - 1) end
      local good = 0
      for _ = 1, ld do
        if die() <= need then good = good + 1 end
      end
      if good > 0 then
        markers = markers - 1
        if markers >= 2 then markers = math.max(markers - good, 0) end
      elseif models * 4 < 20 then
        models, destroyed = 0, true
      elseif models * 2 <= 20 then
        markers = markers - 1
      end
    end
    if models > 0 then
      local hits, lost = 0, 0
      for _ = 1, 10 do
        if die() >= 4 then hits = hits + 1 end
      end
      for _ = 1, hits do
        if die() < 5 then lost = lost + 1 end
      end
      if hits >= 3 then markers = math.min(markers + 1, nv) end
      models = math.max(models - lost, 0)
      if models == 0 then destroyed = true end
    end
  end
  return models * 10 + markers * 2 + (destroyed and 1 or 0)
end

return trial
