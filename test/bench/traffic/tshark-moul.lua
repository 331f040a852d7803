-- What somebody would write for tshark who needs a few facts of each message: the frame, the type with its name, and of
-- messages that carry a plNetMessage its class, flags, time and sender; the rest as bytes. Of the twin of a capture (see
-- moul-talk.ts), in which all is in the clear and each message tells its length: tshark is spared decryption, and the
-- layouts that it takes to find where a message ends.
local moul = Proto("moul", "Myst Online: Uru Live")

local servers = { [0] = "connection", [10] = "auth", [11] = "game" }
local classes = {
  [0x026b] = "plNetMsgGameMessage",
  [0x0279] = "plNetMsgVoice",
  [0x0329] = "plNetMsgSDLStateBCast",
  [0x032e] = "plNetMsgGameMessageDirected",
}
local game = { [0] = "Ping", [1] = "JoinAge", [2] = "PropagateBuffer" }
local auth = {
  [23] = "VaultNodeCreated", [24] = "VaultNodeFetched", [25] = "VaultNodeChanged", [26] = "VaultNodeFetch",
  [27] = "VaultNodeSave", [29] = "VaultNodeRefsFetched", [32] = "VaultSaveNodeReply",
}

local f = moul.fields
f.length = ProtoField.uint32("moul.length", "Length", base.DEC)
f.server = ProtoField.uint8("moul.server", "Server", base.DEC, servers)
f.gameType = ProtoField.uint16("moul.gametype", "Message type", base.DEC, game)
f.authType = ProtoField.uint16("moul.authtype", "Message type", base.DEC, auth)
f.transaction = ProtoField.uint32("moul.transaction", "Transaction", base.DEC)
f.class = ProtoField.uint32("moul.class", "Class index", base.HEX, classes)
f.bufferLength = ProtoField.uint32("moul.bufferlength", "Buffer length", base.DEC)
f.flags = ProtoField.uint32("moul.flags", "Flags", base.HEX)
f.seconds = ProtoField.uint32("moul.seconds", "Time sent", base.DEC)
f.microseconds = ProtoField.uint32("moul.microseconds", "Microseconds", base.DEC)
f.player = ProtoField.uint32("moul.player", "Player", base.DEC)
f.data = ProtoField.bytes("moul.data", "Data")

local FRAME = 5

local function length(buffer, _, offset)
  return buffer(offset, 4):le_uint()
end

local function netMessage(buffer, tree, at, stop)
  local flags = buffer(at + 2, 4):le_uint()
  tree:add_le(f.flags, buffer(at + 2, 4))
  at = at + 6
  if bit32.band(flags, 1) ~= 0 then
    tree:add_le(f.seconds, buffer(at, 4))
    tree:add_le(f.microseconds, buffer(at + 4, 4))
    at = at + 8
  end
  if bit32.band(flags, 0x1000) ~= 0 then
    tree:add_le(f.player, buffer(at, 4))
    at = at + 4
  end
  if at < stop then tree:add(f.data, buffer(at, stop - at)) end
end

local function message(buffer, pinfo, root)
  local stop = buffer:len()
  local server = buffer(4, 1):uint()
  local tree = root:add(moul, buffer())
  tree:add_le(f.length, buffer(0, 4))
  tree:add(f.server, buffer(4, 1))
  if server == 11 then
    local kind = buffer(FRAME, 2):le_uint()
    tree:add_le(f.gameType, buffer(FRAME, 2))
    if kind == 2 then
      local class = buffer(FRAME + 2, 4):le_uint()
      tree:add_le(f.class, buffer(FRAME + 2, 4))
      tree:add_le(f.bufferLength, buffer(FRAME + 6, 4))
      tree:append_text(", " .. (classes[class] or "unknown class"))
      netMessage(buffer, tree, FRAME + 10, stop)
    elseif stop > FRAME + 2 then
      tree:add(f.data, buffer(FRAME + 2, stop - FRAME - 2))
    end
  elseif server == 10 then
    tree:add_le(f.authType, buffer(FRAME, 2))
    tree:add_le(f.transaction, buffer(FRAME + 2, 4))
    if stop > FRAME + 6 then tree:add(f.data, buffer(FRAME + 6, stop - FRAME - 6)) end
  elseif stop > FRAME then
    tree:add(f.data, buffer(FRAME, stop - FRAME))
  end
  pinfo.cols.protocol = "MOUL"
  return stop
end

function moul.dissector(buffer, pinfo, root)
  dissect_tcp_pdus(buffer, root, FRAME, length, message)
  return buffer:len()
end

DissectorTable.get("tcp.port"):add(14617, moul)
