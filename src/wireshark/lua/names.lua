-- The names that messages reveal of what stands behind numbers: "player" 10124 is "Alice". They are looked up once, when
-- a packet is read for the first time, so that they are the same whenever it is shown.

local modules = ...
local decoder, declared, numbers, values, labels =
  modules.decoder, modules.declared, modules.numbers.control, modules.values, modules.labels
local format = string.format

local names = {}

-- Most names that are kept; further ones are not learnt.
local MOST = 65536

local book, count = {}, 0

function names.reset() book, count = {}, 0 end

local function keyOf(scope, kind, id) return (scope or "") .. "\0" .. kind .. "\0" .. id end

-- What identifies a thing: a number as text, or bytes.
local function idOf(tree, node)
  local entry = tree.entry[node]
  local read = numbers[entry.o]
  local source = tree.sources[tree.source[node]]
  if read and entry.w <= 4 then return format("%.0f", read(source.bytes, source.origin + tree.start[node])) end
  return tree:bytes(node)
end

-- Records a name in place of an earlier one; an empty name is ignored.
function names.set(scope, kind, id, name)
  local key = keyOf(scope, kind, id)
  if name == "" or (book[key] == nil and count >= MOST) then return end
  if book[key] == nil then count = count + 1 end
  book[key] = name
end

function names.get(scope, kind, id) return book[keyOf(scope, kind, id)] end

-- Forgets a name, whose id stands for something else from here on.
function names.forget(scope, kind, id)
  local key = keyOf(scope, kind, id)
  if book[key] ~= nil then count = count - 1 end
  book[key] = nil
end

-- The name of what the value at a node stands for.
function names.find(scope, kind, tree, node) return names.get(scope, kind, idOf(tree, node)) end

local NIL_UUID = ("\0"):rep(16)

local function isExcept(binding, id)
  if type(binding.except) == "string" then return id == NIL_UUID end
  return binding.except ~= nil and id == format("%.0f", binding.except)
end

local function nameIn(scope, tree, node, binding)
  if binding.by == nil then
    local named = tree:at(node, binding.name)
    return named and values.text(tree, named)
  end
  local function find(kind, in_, at) return names.find(scope, kind, in_, at) end
  return labels[binding.by](tree, node, nil, binding.byd, find)
end

local function applies(tree, node, binding)
  if binding.when == nil then return true end
  local field = tree:at(node, binding.when.field)
  return field ~= nil and idOf(tree, field) == format("%.0f", binding.when.is)
end

-- Gives what a field of a message identifies a name that comes from elsewhere.
function names.setFor(scope, named, tree, name)
  local node = tree:child(1, named.id)
  local id = node and idOf(tree, node)
  if id and not isExcept(named, id) then names.set(scope, named.kind, id, name) end
end

-- Learns the names that a message introduces.
function names.learn(scope, tree)
  for _, node in ipairs(tree.bindings) do
    local entry = tree.entry[node]
    local struct = entry.t and declared.structs[declared.tables[entry.t].st]
    for _, binding in ipairs(struct and struct.binds or {}) do
      local id = tree:at(node, binding.id)
      if id and applies(tree, node, binding) then
        local key = idOf(tree, id)
        local isKnown = binding.prov and names.get(scope, binding.kind, key) ~= nil
        local name = not isKnown and not isExcept(binding, key) and nameIn(scope, tree, node, binding)
        if name then names.set(scope, binding.kind, key, name) end
      end
    end
  end
end

-- The names of what a message refers to, by node; nil if there are none.
function names.labels(scope, tree)
  local labels
  if count == 0 then return nil end
  for node = 2, tree.count do
    local meaning = tree.entry[node].f
    if meaning and meaning.form == "reference" then
      local id = idOf(tree, node)
      for _, kind in ipairs(meaning.to) do
        local name = names.get(scope, kind, id)
        if name then
          labels = labels or {}
          labels[node] = name
          break
        end
      end
    end
  end
  return labels
end

return names
