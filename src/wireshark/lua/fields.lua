-- The fields that Wireshark knows: one for each name, type and set of names of values in the declarations.
--
-- A name has one group of types that Wireshark can compare: fields of other groups have the group after their name.

local modules = ...
local declared, text, codecs = modules.declared, modules.text, modules.codecs
local prefix = declared.prefix

-- `wanted`: what the user has said to be enough, by field; nil for everything.
local fields = { list = {}, byName = {}, wanted = nil }

local function named(abbreviation, made)
  local all = fields.byName[abbreviation] or {}
  fields.byName[abbreviation] = all
  all[#all + 1] = made
  fields.list[#fields.list + 1] = made
  return made
end

-- Limits what is added to the fields of these names, as the preference has them. Returns names of no field.
function fields.limit(names)
  local unknown = {}
  fields.wanted = nil
  for name in names:gmatch("[^%s,]+") do
    fields.wanted = fields.wanted or {}
    local found = fields.byName[name] or fields.byName[prefix .. "." .. name]
    if found == nil then unknown[#unknown + 1] = name end
    for _, field in ipairs(found or {}) do fields.wanted[field] = true end
  end
  return unknown
end

local TYPES = {
  u8 = "uint8", u16le = "uint16", u16be = "uint16", u32le = "uint32", u32be = "uint32", u64le = "uint64", u64be = "uint64",
  i8 = "int8", i16le = "int16", i16be = "int16", i32le = "int32", i32be = "int32", i64le = "int64", i64be = "int64",
  f32le = "float", f32be = "float", f64le = "double", f64be = "double", bool8 = "bool", bool32le = "bool", uuid = "guid",
  fixedbytes = "bytes", bytes = "bytes", fixedtext = "string", text = "string", struct = "none", polymorphic = "none",
  resolved = "none",
}
local GROUPS = {
  uint8 = "uint", uint16 = "uint", uint32 = "uint", int8 = "int", int16 = "int", int32 = "int", double = "float",
}
local NUMERIC = { uint = true, int = true, uint64 = true, int64 = true }

local function typeOf(entry)
  if entry.o ~= "codec" then return TYPES[entry.o] end
  local spec = entry.cd
  local codec = codecs[spec.form]
  if codec and codec.number then return "uint32" end
  return spec.content == "bytes" and "bytes" or "string"
end

local FACTS = {
  message = true, protocol = true, direction = true, status = true, number = true, summary = true, class = true,
  answers = true, note = true, undissected = true, names = true,
}

-- All leaves and structs of the declarations, with the names under which filters find them. What files declare has no
-- say in these.
local uses, counts, isOwn = {}, {}, true

local function collect(entry, name)
  local own = entry.n ~= "" and entry.n or name
  local kind = typeOf(entry)
  if kind then
    local group = GROUPS[kind] or kind
    uses[#uses + 1] = { entry = entry, name = own, kind = kind, group = group }
    counts[own] = counts[own] or {}
    counts[own][group] = (counts[own][group] or 0) + (isOwn and 1 or 0)
  end
  if entry.i then collect(entry.i, own) end
  if entry.ot then collect(entry.ot, own) end
  if entry.oc then collect(entry.oc, own) end
  if entry.rd then
    if entry.rd.o then collect(entry.rd, own)
    elseif type(entry.rd) == "table" then for _, one in pairs(entry.rd) do collect(one, own) end end
  end
  if entry.el then for _, one in ipairs(entry.el) do collect(one, own) end end
  if entry.ch then for _, one in pairs(entry.ch) do collect(one, own) end end
end

for number, struct in ipairs(declared.tables) do
  isOwn = number <= declared.own
  for _, entry in ipairs(struct.e) do collect(entry, "") end
end
for _, family in ipairs(declared.families) do collect(family.tag, "") end

-- The group that has the plain name: the one that most fields have.
local plain = {}
for name, groups in pairs(counts) do
  for group, count in pairs(groups) do
    local best = plain[name]
    if best == nil or count > groups[best] or (count == groups[best] and group < best) then plain[name] = group end
  end
end

local known = {}

-- Returns the field with this name and type, made when it is first asked for.
local function field(abbreviation, name, kind, names)
  local key = abbreviation .. " " .. kind .. " " .. (names or "")
  local made = known[key]
  if made == nil then
    if names then made = ProtoField[kind](abbreviation, name, base.DEC, declared.names[names])
    elseif NUMERIC[GROUPS[kind] or kind] then made = ProtoField[kind](abbreviation, name, base.DEC)
    else made = ProtoField[kind](abbreviation, name) end
    known[key] = named(abbreviation, made)
  end
  return made
end

for _, use in ipairs(uses) do
  local meaning = use.entry.f
  local names = meaning and meaning.form == "enumeration" and NUMERIC[use.group] and use.kind:find("64") == nil
    and meaning.names or nil
  local abbreviation = prefix .. "." .. use.name
  -- As in filters of moul-dissect, what is known about every message has the plain name.
  if FACTS[use.name] then abbreviation = abbreviation .. ".field"
  elseif use.group ~= plain[use.name] then abbreviation = abbreviation .. "." .. use.group end
  use.entry.pf = field(abbreviation, use.name, use.kind, names)
  use.entry.ft = use.kind
end

-- A field for each message and class: `moul.plNetMsgVoice`.
fields.classes = {}
for number, struct in ipairs(declared.structs) do
  if struct.n and struct.n ~= "" then
    local isTaken = plain[struct.n] ~= nil or FACTS[struct.n]
    local own = isTaken and prefix .. "." .. struct.n .. ".class" or prefix .. "." .. struct.n
    fields.classes[number] = field(own, struct.n, "none")
  end
end

-- The fields of what each class is: itself, and those that it is derived from or counts as.
fields.kinds = {}

local function addKinds(kinds, number)
  while number do
    local own, struct = fields.classes[number], declared.structs[number]
    local isNew = own ~= nil
    for _, kind in ipairs(kinds) do isNew = isNew and kind ~= own end
    if isNew then kinds[#kinds + 1] = own end
    addKinds(kinds, struct.as)
    number = struct.base
  end
  return kinds
end

for number in ipairs(declared.structs) do fields.kinds[number] = addKinds({}, number) end

-- True if one of these fields is wanted of what is of a class.
function fields.isKindWanted(number, wanted)
  for _, kind in ipairs(fields.kinds[number]) do
    if wanted[kind] then return true end
  end
  return false
end

-- What is known about every message, under the names of moul-dissect.
local function fact(name, kind, ...)
  return named(prefix .. "." .. name, ProtoField[kind](prefix .. "." .. name, name, ...))
end

local function link(name, kind)
  local full = prefix .. "." .. name
  return named(full, ProtoField.new(name, full, ftypes.FRAMENUM, frametype and frametype[kind] or nil))
end

fields.message = fact("message", "string")
fields.protocol = fact("protocol", "string")
fields.direction = fact("direction", "string")
fields.status = fact("status", "string")
fields.number = fact("number", "uint32", base.DEC)
fields.summary = fact("summary", "string")
fields.class = fact("class", "string")
fields.answers = link("answers", "REQUEST")
fields.answeredBy = link("answeredBy", "RESPONSE")
fields.named = fact("names.name", "string")
fields.milliseconds = fact("answers.milliseconds", "double")
fields.undissected = field(prefix .. ".undissected", "undissected", "bytes")

local severities = {
  error = ProtoExpert.new(prefix .. ".note.error", "Malformed", expert.group.MALFORMED, expert.severity.ERROR),
  warning = ProtoExpert.new(prefix .. ".note.warning", "Odd", expert.group.PROTOCOL, expert.severity.WARN),
  note = ProtoExpert.new(prefix .. ".note.note", "Note", expert.group.UNDECODED or expert.group.PROTOCOL, expert.severity.NOTE),
  encrypted = ProtoExpert.new(prefix .. ".encrypted", "Encrypted", expert.group.DECRYPTION or expert.group.PROTOCOL, expert.severity.NOTE),
}
fields.experts = severities
fields.expertList = { severities.error, severities.warning, severities.note, severities.encrypted }

return fields
