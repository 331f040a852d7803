/** A decoder for two messages as one would write it by hand: a cursor, one function per class, plain objects. */
class Cursor {
  position = 0;
  readonly view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  need(count: number): number {
    const start = this.position;
    if (start + count > this.bytes.length) throw new RangeError(`needs ${count} bytes at ${start}`);
    this.position = start + count;
    return start;
  }

  u8(): number {
    return this.view.getUint8(this.need(1));
  }
  bool(): boolean {
    return this.u8() !== 0;
  }
  u16(): number {
    return this.view.getUint16(this.need(2), true);
  }
  u32(): number {
    return this.view.getUint32(this.need(4), true);
  }
  i32(): number {
    return this.view.getInt32(this.need(4), true);
  }
  f32(): number {
    return this.view.getFloat32(this.need(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.need(8), true);
  }
  safeString(): string {
    const word = this.u16();
    if ((word & 0xf000) === 0) this.need(2);
    const count = word & 0x0fff;
    const start = this.need(count);
    const text = Buffer.from(this.bytes.subarray(start, start + count));
    if (((text[0] ?? 0) & 0x80) !== 0) for (let index = 0; index < count; index++) text[index] = ~(text[index] ?? 0);
    return text.toString("utf8");
  }
}

function uoid(cursor: Cursor) {
  const flags = cursor.u8();
  const location = { sequenceNumber: cursor.u32(), flags: cursor.u16() };
  const loadMask = (flags & 2) !== 0 ? cursor.u8() : undefined;
  const classIndex = cursor.u16();
  const objectId = cursor.u32();
  const objectName = cursor.safeString();
  if ((flags & 1) === 0) return { flags, location, loadMask, classIndex, objectId, objectName };
  const cloneId = cursor.u16();
  const ignored = cursor.u16();
  const clonerKiNumber = cursor.u32();
  return { flags, location, loadMask, classIndex, objectId, objectName, cloneId, ignored, clonerKiNumber };
}

function key(cursor: Cursor) {
  const nonNull = cursor.bool();
  return nonNull ? { nonNull, uoid: uoid(cursor) } : { nonNull };
}

function point(cursor: Cursor) {
  return { x: cursor.f32(), y: cursor.f32(), z: cursor.f32() };
}

function keys(cursor: Cursor, count: number) {
  const list = [];
  for (let index = 0; index < count; index++) list.push(key(cursor));
  return list;
}

function event(cursor: Cursor) {
  const type = cursor.i32();
  switch (type) {
    case 2:
      return { type, picker: key(cursor), picked: key(cursor), enabled: cursor.bool(), hitPoint: point(cursor) };
    case 7:
      return { type, active: cursor.bool(), activate: cursor.bool() };
    default:
      throw new RangeError(`event ${type}`);
  }
}

function creatable(cursor: Cursor): object | null {
  const classIndex = cursor.u16();
  switch (classIndex) {
    case 0x8000:
      return null;
    case 0x02ed: {
      const sender = key(cursor);
      const receiverCount = cursor.u32();
      const receivers = keys(cursor, receiverCount);
      const timestamp = cursor.f64();
      const broadcastFlags = cursor.u32();
      const notificationType = cursor.i32();
      const state = cursor.f32();
      const id = cursor.i32();
      const eventCount = cursor.u32();
      const events = [];
      for (let index = 0; index < eventCount; index++) events.push(event(cursor));
      return {
        class: "plNotifyMsg",
        classIndex,
        sender,
        receiverCount,
        receivers,
        timestamp,
        broadcastFlags,
        notificationType,
        state,
        id,
        eventCount,
        events,
      };
    }
    case 0x03b1: {
      const sender = key(cursor);
      const receiverCount = cursor.u32();
      const receivers = keys(cursor, receiverCount);
      const timestamp = cursor.f64();
      const broadcastFlags = cursor.u32();
      const clone = key(cursor);
      const requestor = key(cursor);
      const originatingPlayer = cursor.u32();
      const userData = cursor.u32();
      const isValid = cursor.bool();
      const isLoading = cursor.bool();
      const triggerMessage = creatable(cursor);
      const isPlayer = cursor.bool();
      const spawnPoint = key(cursor);
      const initialTaskPresent = cursor.bool();
      const initialTask = initialTaskPresent ? creatable(cursor) : undefined;
      const userString = cursor.safeString();
      return {
        class: "plLoadAvatarMsg",
        classIndex,
        sender,
        receiverCount,
        receivers,
        timestamp,
        broadcastFlags,
        clone,
        requestor,
        originatingPlayer,
        userData,
        isValid,
        isLoading,
        triggerMessage,
        isPlayer,
        spawnPoint,
        initialTaskPresent,
        initialTask,
        userString,
      };
    }
    case 0x0488:
      return {
        class: "plAvOneShotLinkTask",
        classIndex,
        animationName: cursor.safeString(),
        markerName: cursor.safeString(),
      };
    default:
      throw new RangeError(`class ${classIndex}`);
  }
}

/** Decodes a plNetMsgGameMessage or plNetMsgLoadClone that is not compressed. */
export function handDecode(bytes: Uint8Array): object {
  const cursor = new Cursor(bytes);
  const classIndex = cursor.u16();
  const flags = cursor.u32();
  const timeSent = (flags & 1) !== 0 ? { seconds: cursor.u32(), microseconds: cursor.u32() } : undefined;
  const playerId = (flags & 0x1000) !== 0 ? cursor.u32() : undefined;
  const uncompressedLength = cursor.u32();
  const compressionType = cursor.u8();
  const streamLength = cursor.u32();
  const data = creatable(cursor);
  const deliveryTimePresent = cursor.bool();
  const stream = { uncompressedLength, compressionType, streamLength, data };
  if (classIndex === 0x026b) {
    return { class: "plNetMsgGameMessage", classIndex, flags, timeSent, playerId, stream, deliveryTimePresent };
  }
  const object = uoid(cursor);
  const isPlayer = cursor.bool();
  const isLoading = cursor.bool();
  const isInitialState = cursor.bool();
  return {
    class: "plNetMsgLoadClone",
    classIndex,
    flags,
    timeSent,
    playerId,
    stream,
    deliveryTimePresent,
    uoid: object,
    isPlayer,
    isLoading,
    isInitialState,
  };
}
