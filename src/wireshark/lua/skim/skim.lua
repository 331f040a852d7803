-- Goes through a sound message without a tree, where only a few of its fields are wanted, by code that is made from the
-- tables of the declarations, struct by struct, when the first one comes. It adds nodes for what is wanted and for the
-- members of the message itself, and gives up where the decoder would have anything to say: then that decodes. Regions in
-- which nothing can be wanted are passed over.

local modules = ...
local decoder, declared, bits, interest, Writer, programs =
  modules.decoder, modules.declared, modules.bits, modules.interest, modules.skimWriter, modules.skimPrograms
local tables, structs = declared.tables, declared.structs
local format, concat = string.format, table.concat

-- Most local variables of a function, which Lua limits to 200.
local MOST_VARIABLES = 150
-- The deepest nesting, and most elements of arrays, of a message that is skimmed.
local DEEPEST, MOST_ELEMENTS = 24, 20000

local left = { elements = 0 }

local ENVIRONMENT = "local byte, band, left, k, add, open, close, part = ...\n"
local HEAD = format("return function(s, p, e, d)\nif d > %d then return nil end", DEEPEST)

-- Returns the function that skims the members of a struct, or one that gives up.
local function compiled(number, isOpen, isRoot, isContent)
  if interest.isWhole(number) then return function() return nil end end
  local writer = setmetatable({ lines = {}, constants = {}, variables = {} }, Writer)
  writer:members(tables[number], { slots = {}, isOpen = isOpen, isRoot = isRoot, isContent = isContent, depth = 0 })
  writer:flush()
  local variables = writer.variables
  if #variables > MOST_VARIABLES then return function() return nil end end
  local names = concat(variables, ", ")
  local head = #variables == 0 and "" or format("local %s = %s", names, names:gsub("v%d+", "0"))
  local code = concat({ ENVIRONMENT .. HEAD, head, concat(writer.lines, "\n"), "return p end" }, "\n")
  local make = assert((loadstring or load)(code, "=skim " .. (structs[tables[number].st].n or "")))
  return make(string.byte, bits.band, left, writer.constants, decoder.add, decoder.open, decoder.close, decoder.part)
end

local known

-- The program of a struct, whose code is made when it first runs. `isContent`: the struct ends where the bytes do.
function programs.of(number, isOpen, isRoot, isContent)
  local kind = known[(isOpen and 1 or 0) + (isRoot and 2 or 0) + (isContent and 4 or 0)]
  local program = kind[number]
  if program == nil then
    program = {}
    kind[number] = program
    function program.run(...)
      program.run = compiled(number, isOpen, isRoot, isContent)
      return program.run(...)
    end
  end
  return program
end

-- Goes through a message; returns where it ends, or nil if it has to be decoded. `isRoot`: with nodes for its members.
local function skimmed(entry, s, start, finish, extent, isRoot)
  local isOpen = extent == "open"
  if not isOpen and extent ~= "exact" then return nil end
  left.elements = MOST_ELEMENTS
  local stop = programs.of(entry.t, isOpen, isRoot, not isOpen).run(s, start, finish, 1)
  if not isOpen and stop ~= finish then return nil end
  return stop
end

local skim = {}

-- From now on, only what is wanted is of interest: see `interest`.
function skim.limit(wants)
  known = setmetatable({}, { __index = function(kinds, kind) kinds[kind] = {} return kinds[kind] end })
  if wants then interest.set(wants) end
  decoder.skim, decoder.holds = wants and skimmed or nil, interest.holds
end

return skim
