import { type FieldTree, type Introduction, reference, uuid } from "../../../src/schema/index.js";
import { NIL_UUID } from "./nilUuid.js";

/** Stands for one instance of an age; zeros are none. Source: vault "Age". */
export const ageInstanceUuid = reference(uuid, "age").sensitive("age-id");

/** What a struct declares that tells only a poor name of an instance, such as the file name of its age. */
export function namesAgePoorly(id: string, name: string): Introduction {
  return { kind: "age", id, name, except: NIL_UUID, makeshift: true };
}

/** Fields with the names of an instance: the owner's ("Joe's"), the age's for people ("Eder Kemo"), its file name. */
export interface AgeNames {
  readonly userDefinedName: string;
  readonly instanceName: string;
  readonly fileName: string;
}

/**
 * What a struct declares that tells all names of an instance: the name is the most telling one ("Joe's Eder Kemo").
 * Source: vault "Age Info".
 */
export function namesAge(id: string, names: AgeNames): Introduction {
  const name = (nodes: FieldTree, node: number) => {
    const [owner, age, file] = [names.userDefinedName, names.instanceName, names.fileName].map((field) =>
      nodes.textIn(node, field),
    );
    return [owner, age || file].filter(Boolean).join(" ");
  };
  return { kind: "age", id, name, except: NIL_UUID };
}

/** Finds the name that an earlier message told of the instance in a field. */
export function knownAgeName(instance: string): (nodes: FieldTree, node: number) => string | undefined {
  return (nodes, node) => {
    const id = nodes.textIn(node, instance);
    return id === undefined ? undefined : nodes.names?.get("age", id);
  };
}

/**
 * What a struct declares that says which node of the vault stands for an instance, as long as the node is not known.
 */
export function namesAgeNode(id: string, instance: string): Introduction {
  const instanceName = knownAgeName(instance);
  const name = (nodes: FieldTree, node: number) => {
    const known = instanceName(nodes, node);
    return known === undefined ? undefined : `Age ${known}`;
  };
  return { kind: "vaultNode", id, name, except: 0, makeshift: true };
}
