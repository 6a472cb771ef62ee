-- Ten activations of fire: models * 4 + suppression.
local shifts = { 0, 3, 4, 4, 1, 4, 2, 5, 2, 2 }
local ladder = { [0] = 4, 6, 8, 10, 12 }

local function trial()
  local models, suppression = 20, 0
  for _, shift in ipairs(shifts) do
    local size = ladder[shift]
    if size then
      local range, quality, support = math.random(1, size), math.random(1, 8), math.random(1, 10)
      if quality > range or support > range then
        suppression = math.min(suppression + 1, 3)
      end
      if quality > range and support > range then
        models = math.max(models - math.floor((quality + support) / size), 0)
      end
    end
    if models > 0 and suppression > 0 and math.random(1, 8) > 2 then
      suppression = suppression - 1
    end
  end
  return models * 4 + suppression
end

return trial
