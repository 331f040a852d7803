import { flag, flags, masked, resolved, struct, undeclared, withTwin } from "moul-dissect/schema";
import { i16, u16 } from "moul-dissect/schema/little-endian";
import { bytesInHex } from "../common/bytesInHex.js";
import { contentOf } from "../common/content.js";
import { plUoid } from "../common/pnKeyedObject/plUoid.js";
import { SafeString } from "../common/values/SafeString.js";
import { recordTypeIn } from "./descriptors.js";
import { shownNames } from "./values.js";

/** Source: plSDL/plSDL.h, ContentsFlags. */
const ContentsFlags = {
  kHasUoid: 1 << 0,
  kAddedVarLengthIO: 1 << 15,
};

const { kHasUoid, kAddedVarLengthIO } = ContentsFlags;

const current = flag("headerFlags", kAddedVarLengthIO);

/** The state of an object. Source: corrections section 5; plSDL/plStateDataRecord.cpp, ReadStreamHeader. */
export const sdlBlob = struct(
  "sdlBlob",
  {
    headerFlags: flags(u16, ContentsFlags),
    descriptorName: SafeString.public().when(current).inSummary(),
    descriptorVersion: i16.when(current),
    uoid: plUoid.when(masked("headerFlags", kHasUoid | kAddedVarLengthIO, kHasUoid | kAddedVarLengthIO)),
    // Clients look for the version as an unsigned number.
    record: resolved(
      withTwin(
        (member, settings) =>
          recordTypeIn(settings, String(member("descriptorName")), Number(member("descriptorVersion")) & 0xffff),
        "record",
      ),
      { parts: [plUoid], shownNames },
    ).when(current),
    rejected: undeclared("a blob without kAddedVarLengthIO has a form that clients reject").when(
      masked("headerFlags", kAddedVarLengthIO, 0),
    ),
  },
  { derived: [bytesInHex("blobHex", contentOf)] },
);
