import { type Introduction, type Nodes, reference, uuid } from "../../../src/schema/index.js";

const NO_INSTANCE = "00000000-0000-0000-0000-000000000000";

/** Stands for one instance of an age; zeros are none. Source: vault "Age". */
export const ageInstanceUuid = reference(uuid, "age");

/** What a struct declares that tells only a poor name of an instance, such as the file name of its age. */
export function namesAgePoorly(id: string, name: string, when?: Introduction["when"]): Introduction {
  return { kind: "age", id, name, except: NO_INSTANCE, makeshift: true, ...(when && { when }) };
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
export function namesAge(id: string, names: AgeNames, when?: Introduction["when"]): Introduction {
  const name = (nodes: Nodes, node: number) => {
    const [owner, age, file] = [names.userDefinedName, names.instanceName, names.fileName].map((field) => {
      const child = nodes.child(node, field);
      return child < 0 ? "" : String(nodes.value(child));
    });
    return [owner, age || file].filter(Boolean).join(" ");
  };
  return { kind: "age", id, name, except: NO_INSTANCE, ...(when && { when }) };
}
