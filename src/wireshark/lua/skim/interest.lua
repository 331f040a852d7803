-- Which parts of messages are of interest, where only a few fields are wanted.

local modules = ...
local tables, families = modules.declared.tables, modules.declared.families

local interest = {}

local holders

-- `wants.entry` tells of an entry of the tables whether it is wanted, and `wants.class` of a class. `wants.isAll`: the rest
-- is to be checked, too.
function interest.set(wants)
  holders = {}
  interest.entry, interest.class, interest.isAll = wants.entry, wants.class, wants.isAll
end

local function search(entry, seen)
  if seen[entry] then return false end
  seen[entry] = true
  local function any(list)
    for _, one in pairs(list or {}) do
      if search(one, seen) then return true end
    end
    return false
  end
  -- What a function makes of fields may be anything.
  if entry.o == "resolved" or interest.entry(entry) then return true end
  if any({ entry.i, entry.ot, entry.oc }) or any(entry.el) or any(entry.ch) then return true end
  if entry.t and any(tables[entry.t].e) then return true end
  if entry.fam then
    if any({ families[entry.fam].tag }) then return true end
    for _, number in pairs(families[entry.fam].classes) do
      if interest.class(tables[number].st) or any(tables[number].e) then return true end
    end
  end
  return false
end

-- True if an entry is wanted or may hold something that is.
function interest.holds(entry)
  if interest.isAll then return true end
  if holders[entry] == nil then holders[entry] = search(entry, {}) end
  return holders[entry]
end

local function mentionsFunction(entry)
  if entry.o == "resolved" then return true end
  if entry.o == "struct" then return false end
  for _, list in ipairs({ { entry.i }, { entry.ot }, { entry.oc }, entry.el or {}, entry.ch or {} }) do
    for _, one in pairs(list) do
      if mentionsFunction(one) then return true end
    end
  end
  return false
end

-- True if only the decoder can decode a struct: a function looks at its fields. The names that it may introduce are not
-- shown where few fields are wanted.
function interest.isWhole(number)
  local struct = tables[number]
  if struct.whole == nil then
    struct.whole = false
    for _, entry in ipairs(struct.e) do struct.whole = struct.whole or mentionsFunction(entry) end
  end
  return struct.whole
end

return interest
