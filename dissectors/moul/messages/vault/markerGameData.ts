import { array, group, struct, usually } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { hsPoint3 } from "../../common/values/hsPoint3.js";
import { SafeString } from "../../common/values/SafeString.js";

/** A marker to be found. Source: vault "Marker Game"; plVault/plVaultNodeAccess.cpp, VaultMarkerGameNode. */
const VaultMarker = struct("VaultMarker", {
  id: u32,
  age: SafeString.doc("File name of the age in which the marker is."),
  position: hsPoint3,
  description: SafeString.sensitive("text"),
});

/** The markers of a game, after the count of their bytes; only H'uru clients keep them here. */
export const markerGameData = group({
  byteCount: u32,
  markerData: usually("byteCount", group({ markerCount: u32, markers: array(VaultMarker, "markerCount") })),
});
