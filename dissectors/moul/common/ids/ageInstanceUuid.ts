import { type FieldTree, type NameBinding, type NameOfOther, reference, uuid, withTwin } from "moul-dissect/schema";
import { ageIds } from "../../sensitiveKinds.js";
import { NIL_UUID } from "./nilUuid.js";

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

/** The name that an earlier message gave to the instance in a field. */
export function knownAgeName(instance: string): NameOfOther {
  return withTwin({ nameOf: "age", in: instance }, "knownAge", () => ({ instance }));
}

/** Declares that a struct says which vault node stands for an instance; the name serves until the node is known. */
export function namesAgeNode(id: string, instance: string): NameBinding {
  const before = "Age ";
  const name = withTwin({ nameOf: "age", in: instance, before }, "knownAge", () => ({ instance, before }));
  return { kind: "vaultNode", id, name, except: 0, provisional: true };
}
