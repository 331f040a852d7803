-- The summary of a message, which the info column shows, too.

local modules = ...
local declared, labels, words = modules.declared, modules.labels, modules.words
local structLabel, shortened, className = words.structLabel, words.shortened, words.className
local format, concat = string.format, table.concat

local MOST_FACTS = 7

-- What makes the fact of a struct for the summary, or nil.
local function factOf(entry)
  local struct = entry.t and declared.structs[declared.tables[entry.t].st]
  return struct and struct.fa and labels[struct.fa], struct and struct.fad
end

local function factText(tree, node, name)
  local entry = tree.entry[node]
  if entry.o == "struct" then return shortened(structLabel(tree, node, name) or name or "") end
  local text = words.value(entry, tree.sources[tree.source[node]], tree.start[node], tree.finish[node])
  return name and format("%s (%s)", text, shortened(name)) or text
end

-- The nodes that contain a node, from the outermost to the innermost, without the root.
local function around(tree, node)
  local outers, at = {}, 2
  while at < node do
    if tree.after[at] > node then
      outers[#outers + 1] = at
      at = at + 1
    else at = tree.after[at] end
  end
  return outers
end

local function isOnlyOne(tree, node, name, facts)
  for _, other in ipairs(facts) do
    if other ~= node and tree.entry[other].n == name then return false end
  end
  return true
end

local function isAloneIn(tree, outer, node, facts)
  for _, other in ipairs(facts) do
    if other > outer and other < tree.after[outer] and other ~= node then return false end
  end
  return true
end

-- The name that a fact is shown under: see `namingField` in moul-dissect.
local function nameOfFact(tree, node, facts)
  local name = tree.entry[node].n
  local isElement = name == ""
  if not isElement and isOnlyOne(tree, node, name, facts) then return name end
  local best, outers = name, around(tree, node)
  for depth = #outers, 1, -1 do
    local outer = outers[depth]
    local isAlone, kind = isAloneIn(tree, outer, node, facts), tree.entry[outer].o
    if (not isAlone and kind ~= "array" and kind ~= "tuple") or kind == "polymorphic" then break end
    if tree.entry[outer].n ~= "" then best = tree.entry[outer].n end
    if not isAlone or isElement then break end
  end
  return best
end

local function hasLabel(entry)
  local struct = entry.t and declared.structs[declared.tables[entry.t].st]
  return struct ~= nil and struct.lb ~= nil
end

-- What the message in the decoder's tree says, in one line; `names` are those of what it refers to, by node.
local function summary(tree, names)
  local classes, facts, arrayEnd, factEnd = {}, {}, 0, 0
  for node = 2, tree.count do
    local entry = tree.entry[node]
    local kind = entry.o
    local isClass = kind == "polymorphic" or (kind == "struct" and entry.sum and not hasLabel(entry))
    if kind == "array" or kind == "tuple" then arrayEnd = math.max(arrayEnd, tree.after[node])
    elseif isClass and node >= arrayEnd then classes[#classes + 1] = className(tree, node) end
    if node >= factEnd and #facts <= MOST_FACTS then
      if entry.t and factOf(entry) then
        factEnd = tree.after[node]
        facts[#facts + 1] = node
      elseif entry.sum and not isClass and kind ~= "array" and kind ~= "tuple" then facts[#facts + 1] = node end
    end
  end
  local shown = {}
  for index = 1, math.min(#facts, MOST_FACTS) do
    local node = facts[index]
    local fact, data = factOf(tree.entry[node])
    shown[index] = fact and shortened(fact(tree, node, nil, data)) or nameOfFact(tree, node, facts) .. "=" .. factText(tree, node, names and names[node])
  end
  local line = concat(classes, " > ")
  if #shown > 0 then line = line .. (line ~= "" and ": " or "") .. concat(shown, ", ") end
  if #facts > MOST_FACTS then line = line .. ", …" end
  if line == "" then
    local label = tree.count > 0 and structLabel(tree, 1)
    if label then line = shortened(label) end
  end
  return line
end

return summary
