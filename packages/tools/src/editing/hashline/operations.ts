/** The words of the line-addressed edit language as values: sections, operations, and why one was turned down. */

export type ReplaceOperation = {
  readonly kind: "replace";
  readonly verb: "SWAP" | "DEL";
  /** Row of the input that names the operation, from 1. */
  readonly row: number;
  readonly first: number;
  readonly last: number;
  readonly body: readonly string[];
};

export type InsertOperation = {
  readonly kind: "insert";
  readonly verb: "INS.PRE" | "INS.POST";
  readonly row: number;
  readonly line: number;
  readonly body: readonly string[];
};

export type EdgeOperation = {
  readonly kind: "edge";
  readonly verb: "INS.HEAD" | "INS.TAIL";
  readonly row: number;
  readonly body: readonly string[];
};

export type BlockOperation = {
  readonly kind: "block";
  readonly verb: "SWAP.BLK" | "DEL.BLK" | "INS.BLK.POST";
  readonly row: number;
  readonly line: number;
  readonly body: readonly string[];
};

export type PlainOperation = ReplaceOperation | InsertOperation | EdgeOperation;

export type Operation = PlainOperation | BlockOperation;

export type Section = {
  readonly row: number;
  readonly path: string;
  readonly tag: string;
  readonly operations: readonly Operation[];
};

/** Each has its own text in `guidance.json`. */
export type RejectionKind =
  | "noHeader"
  | "untaggedHeader"
  | "cutOff"
  | "emptySection"
  | "patchWords"
  | "unifiedHunk"
  | "otherHunk"
  | "bareNumber"
  | "bareRange"
  | "bodyBeforeOperation"
  | "minusRow"
  | "malformedOperation"
  | "missingBody"
  | "deletionWithBody"
  | "rangeReversed"
  | "lineBeyondFile"
  | "overlap"
  | "insertInsideRange"
  | "blockUnresolved"
  | "tagsDiffer";

export type Rejection = {
  readonly kind: RejectionKind;
  readonly row: number;
  readonly slots: { readonly [name: string]: string };
};

export type Rejected = { readonly ok: false; readonly rejection: Rejection };

export function reject(kind: RejectionKind, row: number, slots: { readonly [name: string]: string } = {}): Rejected {
  return { ok: false, rejection: { kind, row, slots } };
}

/** As it is written: `4.=6`, or `4` for one line. */
export function spellRange({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? `${first}` : `${first}.=${last}`;
}
