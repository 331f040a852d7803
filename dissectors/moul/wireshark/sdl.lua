-- SDL records: the twins of what finds their types, and of their labels.

local modules = ...
local values, resolvers, labels = modules.values, modules.resolvers, modules.labels
local format, concat = string.format, table.concat

local own, given = modules.data.records, modules.given.records or {}

function resolvers.record(tree, struct, entry)
  local name, version = values.textIn(tree, struct, "descriptorName"), values.numberIn(tree, struct, "descriptorVersion")
  version = (version or 0) % 65536
  local key = format("%d %s", version, (name or ""):lower())
  local found = given[key] or own[key]
  if found then
    entry.found = entry.found or {}
    entry.found[found] = entry.found[found] or { o = "struct", n = entry.n, w = 0, t = found, pf = entry.pf, ft = entry.ft }
    return entry.found[found]
  end
  return format("the plugin has no SDL descriptor %s version %d: give its .sdl file to moul-dissect wireshark --sdl", name or "", version)
end

-- Where the descriptor of the record around it says all.
function resolvers.given(_, _, entry) return entry.rd end

-- The elements of an array of any length: all in order, or some with their indices.
function resolvers.elements(tree, struct, entry)
  local count = values.numberIn(tree, struct, "elementCount") or 0
  local isWhole = count == values.numberIn(tree, struct, "arrayLength")
  local known = isWhole and "whole" or "part"
  entry[known] = entry[known] or {}
  local found = entry[known][count]
  if found == nil then
    found = setmetatable({ p = count }, { __index = isWhole and entry.rd.inOrder or entry.rd.some })
    entry[known][count] = found
  end
  return found
end

function labels.longList(count) return count > 9998 and "more than clients accept" or nil end

function labels.recordLabel(tree, node, _, data)
  local simple, nested = values.numberIn(tree, node, "simpleVariableCount"), values.numberIn(tree, node, "nestedVariableCount")
  if simple == nil or nested == nil then return data.title end
  return format("%s, %.0f of %.0f variables", data.title, simple + nested, data.total)
end

-- Most elements of an array that a label shows.
local MOST_ELEMENTS = 8

local valuesText

local function elementText(tree, node, parts)
  local entry = tree.entry[node]
  if entry.o == "array" or entry.o == "tuple" then
    local text = valuesText(tree, node, parts, 1)
    return text and "(" .. text .. ")"
  end
  if entry.o == "struct" then
    local name = values.field(tree, node, "objectName")
    return modules.words.structLabel(tree, node) or (name and modules.words.plain(tree, name))
  end
  return modules.words.plain(tree, node)
end

-- A few values on one line; nil if they are too many, not all there, or not simple.
function valuesText(tree, list, total, parts)
  if total > MOST_ELEMENTS then return nil end
  local texts, node = {}, list + 1
  while node < tree.after[list] do
    local text = elementText(tree, node, parts)
    if text == nil then return nil end
    texts[#texts + 1] = text
    node = tree.after[node]
  end
  return #texts > 0 and #texts == total and concat(texts, ", ") or nil
end

local function textOf(tree, node, data)
  local list, total = values.field(tree, node, "values"), data.total or values.numberIn(tree, node, "arrayLength")
  return list and total and valuesText(tree, list, total, data.parts)
end

local SAME_AS_DEFAULT = 8

local function isDefault(tree, node)
  local flags = values.numberIn(tree, node, "flags") or 0
  return math.floor(flags / SAME_AS_DEFAULT) % 2 == 1
end

function labels.simpleLabel(tree, node, _, data)
  local text = textOf(tree, node, data)
  if text then return data.declared .. " = " .. text end
  return isDefault(tree, node) and data.declared .. data.byDefault or data.declared
end

function labels.simpleFact(tree, node, _, data)
  if isDefault(tree, node) then return data.name .. data.byDefault end
  if (data.total or values.numberIn(tree, node, "arrayLength")) == 0 then return data.name .. "=()" end
  local text = textOf(tree, node, data)
  if text == nil then return data.name .. "=…" end
  return format(data.total == 1 and "%s=%s" or "%s=(%s)", data.name, text)
end

-- The first element that is beyond the end of its array.
local function indexBeyond(tree, list, total)
  local node = list and list + 1
  while node and node < tree.after[list] do
    local index = values.numberIn(tree, node, "index")
    if index and index >= total then return index end
    node = tree.after[node]
  end
end

function labels.nestedLabel(tree, node, _, data)
  local count, total = values.numberIn(tree, node, "elementCount"), data.total or values.numberIn(tree, node, "arrayLength")
  if count == nil or total == nil then return data.declared end
  local share = data.total == 1 and "" or format(", %.0f of %.0f %s", count, total, total == 1 and "element" or "elements")
  local rejected = indexBeyond(tree, values.field(tree, node, "elements"), total)
  return data.declared .. share .. (rejected and format("; clients reject element %.0f", rejected) or "")
end
