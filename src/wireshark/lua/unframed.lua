-- A protocol whose dissector only says in JavaScript where messages begin.

local session = {}
session.__index = session

function session.open(opening)
  if opening.declared == nil then return "no" end
  return {
    client = "from",
    new = function() return setmetatable({ protocol = opening.declared }, session) end,
  }
end

function session:next()
  return {
    step = "unknown", name = "undissected",
    reason = "where messages begin is code in the dissector, which the plugin does not have: moul-dissect does",
  }
end

function session:decoded() end

return session
