import type { MessageNote, ShownDirection, Status } from "../../dissect/message.js";
import type { Severity } from "../../schema/language/field-tree.js";
import type { MESSAGE_SCHEMAS } from "../writers/schema-names.js";

/** What every line has: of a message, and of bytes from outside a capture. */
interface OutcomeJson {
  readonly schema: (typeof MESSAGE_SCHEMAS)[2];
  readonly message: string;
  readonly summary: string;
  readonly status: Status;
  readonly notes: readonly MessageNote[];
  /** Values that have not the JSON type of their fields, which are null. */
  readonly misfits?: readonly { readonly path: string; readonly value: string }[];
}

/** Another message, and how long the answer took; not where the capture has the answer first. */
interface LinkJson {
  readonly number: number;
  readonly message: string;
  readonly milliseconds?: number;
}

/** Where a message comes from, and what is known about it. */
interface CapturedJson extends OutcomeJson {
  readonly number: number;
  readonly time: string;
  readonly frames: readonly number[];
  readonly stream: number;
  readonly transport: "tcp" | "udp";
  readonly source: string;
  readonly destination: string;
  readonly direction: ShownDirection;
  readonly protocol: string;
  readonly capture?: { readonly name: string; readonly index: number };
  /** Nanoseconds since 1970. */
  readonly epoch: string;
  readonly seconds: number;
  readonly length: number;
  readonly payloadId?: string;
  readonly answers?: LinkJson;
  readonly answeredBy?: LinkJson;
  readonly error?: string;
  readonly player?: { readonly id: number | string; readonly name?: string };
  readonly age?: { readonly id: string; readonly name?: string };
  readonly names?: readonly { readonly path: string; readonly kind: string; readonly name: string }[];
}

/** Fields as plain nested values: `moul-dissect/messages` has their types, by the name of the message. */
interface FieldsJson {
  readonly fields: unknown;
}

/** Fields as an annotated tree. */
interface FieldTreeJson {
  readonly tree: readonly TreeNode[];
  /** What the offsets of nodes are in: the message, and what was inflated or assembled from it. */
  readonly sources: readonly {
    readonly id: number;
    readonly kind: "message" | "assembled" | "inflated";
    readonly length: number;
    readonly parent?: number;
  }[];
}

/** A field in an annotated tree, or a derived value, which has no bytes. */
export interface TreeNode {
  /** An element of an array has its index in brackets. */
  readonly name: string;
  readonly kind: string;
  readonly class?: string;
  /** Null if it has children. */
  readonly value: unknown;
  readonly label?: string;
  readonly start: number;
  readonly end: number;
  readonly source: number;
  readonly children?: readonly TreeNode[];
  readonly notes?: readonly { readonly severity: Severity; readonly text: string }[];
}

/** A message as `--json` prints it. */
export interface MessageJson extends CapturedJson, FieldsJson {}
/** A message as `--format json-tree` prints it. */
export interface MessageTree extends CapturedJson, FieldTreeJson {}
/** Bytes from outside a capture as `decode --json` prints them. */
export interface ValueJson extends OutcomeJson, FieldsJson {}
/** Bytes from outside a capture as `decode --format json-tree` prints them. */
export interface ValueTree extends OutcomeJson, FieldTreeJson {}
