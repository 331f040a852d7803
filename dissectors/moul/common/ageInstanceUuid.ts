import { type FieldTree, type NameBinding, reference, uuid, withTwin } from "moul-dissect/schema";
import { NIL_UUID } from "./nilUuid.js";
import { ageIds } from "./sensitiveKinds.js";

/** Identifies one instance of an age; all zeros for none. Source: vault "Age". */
export const ageInstanceUuid = reference(uuid, "age").sensitive(ageIds);

/** Declares that a struct gives only a poor name of an instance, such as the file name of its age. */
export function namesAgePoorly(id: string, name: string): NameBinding {
  return { kind: "age", id, name, except: NIL_UUID, provisional: true };
}

/** Fields with the names of an instance: the owner's ("Joe's"), the age's display name ("Eder Kemo"), its file name. */
interface AgeNames {
  readonly userDefinedName: string;
  readonly instanceName: string;
  readonly fileName: string;
}

/**
 * Declares that a struct gives all names of an instance, which make the most descriptive one ("Joe's Eder Kemo").
 * Source: vault "Age Info".
 */
export function namesAge(id: string, names: AgeNames): NameBinding {
  const name = (nodes: FieldTree, node: number) => {
    const [owner, age, file] = [names.userDefinedName, names.instanceName, names.fileName].map((field) =>
      nodes.textIn(node, field),
    );
    return [owner, age || file].filter(Boolean).join(" ");
  };
  return { kind: "age", id, name: withTwin(name, "ageName", () => ({ ...names })), except: NIL_UUID };
}

/** Finds the name that an earlier message gave to the instance in a field. */
export function knownAgeName(instance: string): (nodes: FieldTree, node: number) => string | undefined {
  const name = (nodes: FieldTree, node: number) => {
    const id = nodes.textIn(node, instance);
    return id === undefined ? undefined : nodes.names?.get("age", id);
  };
  return withTwin(name, "knownAge", () => ({ instance }));
}

/** Declares that a struct says which vault node stands for an instance; the name serves until the node is known. */
export function namesAgeNode(id: string, instance: string): NameBinding {
  const instanceName = knownAgeName(instance);
  const name = (nodes: FieldTree, node: number) => {
    const known = instanceName(nodes, node);
    return known === undefined ? undefined : `Age ${known}`;
  };
  withTwin(name, "knownAge", () => ({ instance, before: "Age " }));
  return { kind: "vaultNode", id, name, except: 0, provisional: true };
}
