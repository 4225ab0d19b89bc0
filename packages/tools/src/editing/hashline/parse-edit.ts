/** Parses a line-addressed edit into sections: forgiving where the meaning is plain, else naming the row and the remedy. */
import { type EditRow, readRow } from "./edit-rows.ts";
import { normaliseText } from "./lines.ts";
import { type Operation, type Rejected, reject, type Section } from "./operations.ts";

export type ParsedEdit = {
  readonly ok: true;
  readonly sections: readonly Section[];
  /** The first body row that lacked its plus sign. */
  readonly bareRow?: number;
};

/** Growing while its rows are read. */
type OpenOperation = Operation & { readonly body: string[] };
type OpenSection = Section & { readonly operations: OpenOperation[] };

type Progress = {
  readonly sections: OpenSection[];
  operation: OpenOperation | undefined;
  /** Blank rows that are part of the body only if more of it follows. */
  pendingBlanks: number;
  bareRow: number | undefined;
  /** The marks around the whole may be left out; but where it was begun, its end must have arrived. */
  isEnvelopeOpen: boolean;
};

/** Pure. Numbers are not compared with each other or with a file here. */
export function parseEdit(input: string): ParsedEdit | Rejected {
  const rows = normaliseText(input).split("\n");
  const progress: Progress = {
    sections: [],
    operation: undefined,
    pendingBlanks: 0,
    bareRow: undefined,
    isEnvelopeOpen: false,
  };
  for (let index = 0; index < rows.length; index += 1) {
    const text = rows[index] ?? "";
    const inBody = progress.operation !== undefined && takesBody(progress.operation);
    const row = readRow(text, { inBody });
    if (row.kind === "abort") {
      progress.isEnvelopeOpen = false;
      break;
    }
    const problem = takeRow(progress, row, { number: index + 1, text });
    if (problem !== undefined) return problem;
  }
  const problem = closeSection(progress);
  if (problem !== undefined) return problem;
  if (progress.sections.length === 0) return reject("noHeader", 1, { found: "nothing" });
  if (progress.isEnvelopeOpen) return reject("cutOff", rows.length);
  const { sections, bareRow } = progress;
  return { ok: true, sections, ...(bareRow !== undefined && { bareRow }) };
}

type RowPlace = { readonly number: number; readonly text: string };

function takeRow(progress: Progress, row: EditRow, { number, text }: RowPlace): Rejected | undefined {
  const section = progress.sections.at(-1);
  if (row.kind === "blank") {
    progress.pendingBlanks += 1;
    return undefined;
  }
  if (row.kind === "envelope") {
    progress.isEnvelopeOpen = row.mark === "begin";
    return undefined;
  }
  if (row.kind === "header") {
    const problem = closeSection(progress);
    if (problem !== undefined) return problem;
    progress.sections.push({ row: number, path: row.path, tag: row.tag, operations: [] });
    progress.operation = undefined;
    return undefined;
  }
  if (section === undefined) {
    const wasMeant = row.kind === "untaggedHeader" || /^\W*(?:Update|Add) File:/i.test(text.slice(0, quotedMax));
    return reject(wasMeant ? "untaggedHeader" : "noHeader", number, { found: quote(text) });
  }
  switch (row.kind) {
    case "operation":
      return openOperation(progress, section, row, number);
    case "body":
      return addToBody(progress, { number, text: row.text, shown: text, isBare: false });
    case "text":
      return addToBody(progress, { number, text, shown: text, isBare: true });
    case "untaggedHeader": {
      const isText = !row.hasMark && progress.operation !== undefined && takesBody(progress.operation);
      return isText
        ? addToBody(progress, { number, text, shown: text, isBare: true })
        : reject("untaggedHeader", number, { found: quote(text) });
    }
    case "number":
      return reject("bareNumber", number, { line: `${row.line}` });
    case "range":
      return reject("bareRange", number, { range: `${row.first}.=${row.last}` });
    case "minus":
      return reject("minusRow", number, { found: quote(text) });
    case "patchWords":
    case "unifiedHunk":
    case "otherHunk":
    case "malformedOperation":
      return reject(row.kind, number, { found: quote(text) });
    case "abort":
      return undefined;
  }
}

function openOperation(
  progress: Progress,
  section: OpenSection,
  row: EditRow & { kind: "operation" },
  number: number,
): Rejected | undefined {
  const problem = closeOperation(progress);
  if (problem !== undefined) return problem;
  const operation = makeOperation(row, number);
  if (row.hasColon && !takesBody(operation)) return reject("deletionWithBody", number, describeDeletion(operation));
  section.operations.push(operation);
  progress.operation = operation;
  return undefined;
}

function makeOperation(row: EditRow & { kind: "operation" }, number: number): OpenOperation {
  const { verb, first, last } = row;
  switch (verb) {
    case "SWAP":
    case "DEL":
      return { kind: "replace", verb, row: number, first, last, body: [] };
    case "INS.PRE":
    case "INS.POST":
      return { kind: "insert", verb, row: number, line: first, body: [] };
    case "INS.HEAD":
    case "INS.TAIL":
      return { kind: "edge", verb, row: number, body: [] };
    case "SWAP.BLK":
    case "DEL.BLK":
    case "INS.BLK.POST":
      return { kind: "block", verb, row: number, line: first, body: [] };
  }
}

type BodyRow = RowPlace & { readonly shown: string; readonly isBare: boolean };

function addToBody(progress: Progress, { number, text, shown, isBare }: BodyRow): Rejected | undefined {
  const { operation } = progress;
  if (operation === undefined) return reject("bodyBeforeOperation", number, { found: quote(shown) });
  if (!takesBody(operation)) return reject("deletionWithBody", number, describeDeletion(operation));
  const blanks = operation.body.length === 0 ? 0 : progress.pendingBlanks;
  if (isBare || blanks > 0) progress.bareRow ??= number - blanks;
  for (let index = 0; index < blanks; index += 1) operation.body.push("");
  operation.body.push(text);
  progress.pendingBlanks = 0;
  return undefined;
}

function closeOperation(progress: Progress): Rejected | undefined {
  const { operation } = progress;
  progress.pendingBlanks = 0;
  if (operation === undefined || !takesBody(operation) || operation.body.length > 0) return undefined;
  return reject("missingBody", operation.row, { verb: operation.verb });
}

function closeSection(progress: Progress): Rejected | undefined {
  const section = progress.sections.at(-1);
  if (section?.operations.length === 0)
    return reject("emptySection", section.row, { header: `[${section.path}#${section.tag}]` });
  return closeOperation(progress);
}

function takesBody(operation: Operation): boolean {
  return operation.verb !== "DEL" && operation.verb !== "DEL.BLK";
}

function describeDeletion(operation: Operation): { readonly verb: string; readonly replacing: string } {
  return { verb: operation.verb, replacing: operation.verb === "DEL" ? "SWAP" : "SWAP.BLK" };
}

const quotedMax = 80;

function quote(text: string): string {
  const trimmed = text.trim();
  return `"${trimmed.length > quotedMax ? `${trimmed.slice(0, quotedMax)}…` : trimmed}"`;
}
