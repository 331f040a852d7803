-- Framed messages: a length, a code of two letters, and what the code stands for. Source: facts, section 2.

local modules = ...
local numbers, data, entry, labels, decoder = modules.numbers.control, modules.data, modules.entry, modules.labels, modules.decoder
local format = string.format
local u16 = numbers.u16be

local framing = { HEADER = 4, LONGEST = 1024 }
local HEADER, LONGEST = framing.HEADER, framing.LONGEST

-- The length of the whole message at a place, and its code; nil if its head is incomplete.
function framing.headAt(s, at, limit)
  if limit - at < HEADER then return nil end
  return HEADER + u16(s, at), u16(s, at + 2)
end

-- The declared message with this head, or nil.
function framing.declared(messages, length, code)
  local special = messages.ofLength[length]
  if special and special.code == code then return special end
  return messages.byCode[code]
end

local undeclared = {}

-- A message with a code that is not declared: its bytes.
function framing.undeclared(code)
  local made = undeclared[code]
  if made == nil then
    made = { o = "struct", n = "Msg_" .. labels.code(code):gsub("[^%w_]", "_"), w = 0, t = data.undeclared }
    undeclared[code] = made
  end
  return made
end

-- Says in a tree that its message is not declared.
function framing.remarkUndeclared(code, protocol)
  return function(tree)
    local node = tree:child(1, "code") or 1
    tree:note("unknown", "note", node, format("%s is not a declared message of %s", labels.code(code), protocol))
  end
end

-- The step for the framed message at a place.
function framing.step(messages, s, at, limit, protocol)
  local length, code = framing.headAt(s, at, limit)
  if length == nil then return { step = "more", bytes = HEADER } end
  local declared = framing.declared(messages, length, code)
  local found = declared and entry(declared.type) or framing.undeclared(code)
  if length > LONGEST then
    return { step = "malformed", name = found.n,
      reason = format("its length of %d bytes is more than the %d that a message may have", length, LONGEST) }
  end
  return {
    step = "message", entry = found, length = length, code = code,
    remarks = declared == nil and framing.remarkUndeclared(code, protocol) or nil,
  }
end

local function isLetters(code)
  return labels.code(code):find("^%a%a$") ~= nil
end

-- True if bytes can be the beginning of framed messages; nil if there are too few.
function framing.looksFramed(messages, s, at, limit)
  local length, code = framing.headAt(s, at, limit)
  if length == nil then return nil end
  return length <= LONGEST and (framing.declared(messages, length, code) ~= nil or isLetters(code))
end

-- Evidence that bytes are a message, in bits, by its head; nil if they are not.
function framing.evidence(messages, s, at, limit)
  local length, code = framing.headAt(s, at, limit)
  local declared = length and framing.declared(messages, length, code)
  if not declared or length > LONGEST or length < declared.least then return nil end
  return 11 + (length == declared.least and 14 or 4), length
end

-- True if several messages begin at a place, as after a loss.
function framing.candidate(messages, s, at, limit)
  local bits, length = framing.evidence(messages, s, at, limit)
  if bits == nil then return false end
  while at + length < limit do
    at = at + length
    if limit - at < HEADER then return true end
    local more, next = framing.evidence(messages, s, at, limit)
    if more == nil then return false end
    length = next
  end
  return true
end

-- True if a datagram consists of whole, sound messages.
function framing.isDatagram(messages, s)
  local at, limit = 0, #s
  while at < limit do
    local length, code = framing.headAt(s, at, limit)
    local declared = length and framing.declared(messages, length, code)
    if not declared or at + length > limit then return false end
    decoder.decode(entry(declared.type), s, at, at + length, "exact")
    if decoder.tree.outcome ~= "ok" then return false end
    at = at + length
  end
  return at > 0
end

return framing
