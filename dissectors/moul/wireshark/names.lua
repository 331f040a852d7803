-- The names that messages give to things, where functions make them. `find(kind, tree, node)` is the name of what the
-- value at a node stands for.

local modules = ...
local values, labels = modules.values, modules.labels

-- The most descriptive name of an instance of an age.
function labels.ageName(tree, node, _, given)
  local owner, age = values.textIn(tree, node, given.userDefinedName), values.textIn(tree, node, given.instanceName)
  if age == nil or age == "" then age = values.textIn(tree, node, given.fileName) end
  local parts = {}
  for _, part in ipairs({ owner or "", age or "" }) do
    if part ~= "" then parts[#parts + 1] = part end
  end
  return table.concat(parts, " ")
end

function labels.knownAge(tree, node, _, given, find)
  local child = tree:child(node, given.instance)
  local name = child and find("age", tree, child)
  return name and (given.before or "") .. name
end

function labels.gameType(tree, node, _, given) return given[values.textIn(tree, node, "gameTypeId") or ""] end

local function kindOf(tree, node, given)
  local number = values.numberIn(tree, node, "nodeType")
  return number and given[string.format("%.0f", number)]
end

local function partOf(tree, node, part, find)
  local child = tree:child(node, part.from)
  if child == nil then return "" end
  if part.refersTo then return find(part.refersTo, tree, child) or "" end
  local number = tree.entry[child].o ~= "uuid" and values.number(tree, child)
  if number then return part.names[string.format("%.0f", number)] or "" end
  return values.text(tree, child) or ""
end

-- What a node of the vault is called: its type, and what distinguishes it from others of that type.
function labels.vaultTitle(tree, node, _, given, find)
  local kind = kindOf(tree, node, given)
  if kind == nil then return nil end
  local isThere, text = false, kind.name
  for _, part in ipairs(kind.title) do
    isThere = isThere or tree:child(node, part.from) ~= nil
    local shown = partOf(tree, node, part, find)
    if shown ~= "" then text = text .. " " .. shown end
  end
  return isThere and text or nil
end

function labels.vaultType(tree, node, _, given)
  local kind = kindOf(tree, node, given)
  return kind and not kind.isPlayer and kind.name or nil
end
