import { decodeText, type Json } from "moul-dissect/schema";

/**
 * Where a link leads to, from the text in an age link: `title:name:cameraStack;` for each spawn point.
 * Source: vault "Age Link"; plVault/plVaultNodeAccess.cpp, VaultAgeLinkNode::GetSpawnPoints.
 */
export function spawnPoints(text: Uint8Array): Json {
  return decodeText(text)
    .split(";")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [title = "", name, cameraStack] = entry.split(":");
      return { title, ...(name !== undefined && { name }), ...(cameraStack !== undefined && { cameraStack }) };
    });
}

const VISIT_PARTS = 7;

/**
 * The instance of an age that a note invites to, from the note's text; undefined if the text is no such invitation.
 * Source: vault "Text Note"; plVault/plVaultNodeAccess.cpp, VaultTextNoteNode::GetVisitInfo.
 */
export function visit(text: string): Json | undefined {
  const parts = text.split("|");
  if (parts.length !== VISIT_PARTS) return undefined;
  const [ageFilename = "", ageInstanceName = "", ageUserDefinedName = "", ageDescription = "", ...others] = parts;
  const [ageInstanceGuid = "", ageLanguage = "", ageSequenceNumber = ""] = others;
  return {
    ageFilename,
    ageInstanceName,
    ageUserDefinedName,
    ageDescription,
    ageInstanceGuid,
    ageLanguage: whole(ageLanguage),
    ageSequenceNumber: whole(ageSequenceNumber),
  };
}

function whole(text: string): Json {
  return /^-?\d{1,10}$/.test(text) ? Number(text) : text;
}
