-- What is in decoded messages, in words: numbers and their meaning, texts, classes, and what a struct says of itself.

local modules = ...
local declared, decoder, text, codecs, labels, bits =
  modules.declared, modules.decoder, modules.text, modules.codecs, modules.labels, modules.bits
local numbers, decimal = modules.numbers.control, modules.decimal
local sub, format, concat, byte = string.sub, string.format, table.concat, string.byte

local words = {}

-- Most characters of a fact.
local LONGEST = 60

local function bytesOf(source, start, finish) return sub(source.bytes, source.origin + start + 1, source.origin + finish) end

-- The text or bytes of a leaf that is not a number of fixed width.
function words.text(entry, source, start, finish)
  local kind = entry.o
  if kind == "codec" then
    local codec = codecs[entry.cd.form]
    return codec and codec.read(entry.cd, source.bytes, source.origin + start, source.origin + finish) or ""
  end
  local content = bytesOf(source, start, finish)
  local encoding = entry.enc or "utf8"
  return kind == "fixedtext" and text.fixed(content, encoding) or text.counted(content, encoding)
end

local function flagsText(names, value)
  local found, rest, place = {}, value, 1
  while place <= rest and place < 4294967296 do
    if math.floor(rest / place) % 2 == 1 then
      local name = names[place]
      if name then
        found[#found + 1] = name
        rest = rest - place
      end
    end
    place = place * 2
  end
  if rest > 0 then found[#found + 1] = format("0x%x", rest) end
  return concat(found, " | ")
end

-- What a number means, in words, or nil.
function words.label(entry, value)
  local meaning = entry.f
  if meaning == nil or value == nil then return nil end
  if meaning.twin then return labels[meaning.twin] and labels[meaning.twin](value, meaning.td) end
  local names = meaning.names and declared.names[meaning.names]
  if names == nil then return nil end
  if meaning.form == "flags" then
    if value < 0 then value = value + 2 ^ (8 * entry.w) end
    local shown = flagsText(names, value)
    return shown ~= "" and shown or nil
  end
  return names[value]
end

function words.number(entry, source, start, finish)
  if entry.o == "codec" then
    local codec = codecs[entry.cd.form]
    return codec and codec.number and codec.read(entry.cd, source.bytes, source.origin + start, source.origin + finish)
  end
  local read = numbers[entry.o]
  return read and read(source.bytes, source.origin + start)
end

-- What a struct says in one line, or nil.
function words.structLabel(tree, node, name)
  local entry = tree.entry[node]
  local struct = entry.t and declared.structs[declared.tables[entry.t].st]
  local twin = struct and struct.lb and labels[struct.lb]
  return twin and twin(tree, node, name, struct.lbd)
end

local function float(entry, source, start, finish)
  local bytes = bytesOf(source, start, finish)
  local big = entry.o:sub(-2) == "be"
  local code = (big and ">" or "<") .. (entry.o:sub(1, 3) == "f32" and "f" or "d")
  return (Struct or string).unpack(code, bytes)
end

local function floatText(entry, source, start, finish)
  local value = float(entry, source, start, finish)
  if value == 0 and 1 / value < 0 then return "-0" end
  return entry.w == 4 and decimal.single(value) or decimal.double(value)
end

local hex = modules.values.hex

-- The text cut after as many UTF-16 units as one fact may have, as moul-dissect counts them.
function words.shortened(value)
  if #value <= LONGEST then return value end
  local units, at = 0, 1
  while at <= #value do
    local first = byte(value, at)
    local length = first >= 0xF0 and 4 or first >= 0xE0 and 3 or first >= 0xC0 and 2 or 1
    units = units + (length == 4 and 2 or 1)
    if units > LONGEST then return sub(value, 1, at - 1) .. "…" end
    at = at + length
  end
  return value
end

-- A value as the summary shows it; `name` is that of what it refers to, if that is known.
function words.value(entry, source, start, finish)
  local kind = entry.o
  if kind == "f32le" or kind == "f32be" or kind == "f64le" or kind == "f64be" then
    return floatText(entry, source, start, finish)
  end
  if kind == "bool8" or kind == "bool32le" then return words.number(entry, source, start) ~= 0 and "true" or "false" end
  local number = words.number(entry, source, start, finish)
  if number then
    local label = words.label(entry, number)
    return label and words.shortened(label) or format("%.0f", number)
  end
  if kind == "uuid" then
    return modules.values.uuid(bytesOf(source, start, finish))
  end
  if kind == "bytes" or kind == "fixedbytes" then return words.shortened(hex(bytesOf(source, start, finish))) end
  local value = words.text(entry, source, start, finish)
  if type(value) == "number" then return format("%.0f", value) end
  return '"' .. words.shortened(value) .. '"'
end

local QUOTED = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\b"] = "\\b", ["\f"] = "\\f" }

local function quoted(value)
  return '"' .. value:gsub('[%c"\\]', function(one)
    return QUOTED[one] or (one ~= "\127" and format("\\u%04x", byte(one))) or nil
  end) .. '"'
end

-- The value of a leaf in the label of a struct, or nil for bytes.
function words.plain(tree, node)
  local entry, source = tree.entry[node], tree.sources[tree.source[node]]
  local start, finish, kind = tree.start[node], tree.finish[node], entry.o
  if kind == "bytes" or kind == "fixedbytes" then return nil end
  if kind:find("^f%d") then
    local value = float(entry, source, start, finish)
    return entry.w == 4 and decimal.single(value) or decimal.double(value)
  end
  if kind == "bool8" or kind == "bool32le" then return words.number(entry, source, start) ~= 0 and "true" or "false" end
  local number = words.number(entry, source, start, finish)
  if number then return format("%.0f", number) end
  if kind == "uuid" then return words.value(entry, source, start, finish) end
  local value = words.text(entry, source, start, finish)
  return type(value) == "string" and quoted(value) or format("%.14g", value)
end

-- The tag of a polymorphic field, or nil.
local function tagOf(tree, node)
  local tagNode = node + 1
  if tree.after[node] <= tagNode then return nil end
  local source = tree.sources[tree.source[tagNode]]
  return words.number(tree.entry[tagNode], source, tree.start[tagNode], tree.finish[tagNode])
end

function words.className(tree, node)
  local entry = tree.entry[node]
  local struct = entry.t and declared.tables[entry.t].st
  if struct then
    local name = declared.structs[struct].n
    return name ~= "" and name or nil, struct
  end
  if entry.o ~= "polymorphic" then return nil end
  local family, tag = declared.families[entry.fam], tagOf(tree, node)
  if tag == nil or tag == family.null or family.closed then return nil end
  return decoder.called(family, tag)
end

-- True for a polymorphic field that says that nothing is there.
function words.isNull(tree, node)
  local entry = tree.entry[node]
  return entry.t == nil and entry.o == "polymorphic" and tagOf(tree, node) == (declared.families[entry.fam].null or false)
end

return words
