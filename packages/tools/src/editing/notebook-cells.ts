/** Finds the cells of a notebook in its JSON text and changes one of them, so that all other bytes stay as they are. */
import { isJsonObject } from "@kedge/protocol";
import { lineEndingOf, withLineEnding } from "../file-content.ts";

/** A notebook of format 4: its cells as values, and where each begins and ends in the text. */
export type Notebook = {
  readonly text: string;
  readonly cells: readonly JsonCell[];
  readonly spans: readonly Span[];
  /** Between the brackets of the list. */
  readonly list: Span;
  /** From 4.5 on every cell has an id. */
  readonly hasIds: boolean;
};

export type JsonCell = { readonly [name: string]: unknown };

type Span = { readonly start: number; readonly end: number };

export type ParsedNotebook =
  | { readonly ok: true; readonly notebook: Notebook }
  | { readonly ok: false; readonly problem: string };

export function parseNotebook(path: string, text: string): ParsedNotebook {
  const refuse = (problem: string): ParsedNotebook => ({ ok: false, problem: `${path} ${problem}` });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(`is damaged: ${error.message}. Repair its JSON as text first.`);
  }
  if (!isJsonObject(value) || typeof value["nbformat"] !== "number")
    return refuse("is not a notebook: it has no nbformat. Change it as text.");
  if (value["nbformat"] !== 4)
    return refuse(`has nbformat ${value["nbformat"]}; only 4 can be changed. Convert it with jupyter nbconvert.`);
  const cells: unknown = value["cells"];
  if (!Array.isArray(cells) || !cells.every(isJsonObject))
    return refuse("is damaged: it has no list of cells. Repair its JSON as text first.");
  const { list, spans } = findCells(text);
  const minor = value["nbformat_minor"];
  return { ok: true, notebook: { text, cells, spans, list, hasIds: typeof minor === "number" && minor >= 5 } };
}

/** The text is known to be valid JSON with a list of cells, of which the last one counts, as for the parser. */
function findCells(text: string): { readonly list: Span; readonly spans: readonly Span[] } {
  let found: { readonly list: Span; readonly spans: readonly Span[] } = { list: { start: 0, end: 0 }, spans: [] };
  let at = skipSpace(text, text.indexOf("{") + 1);
  while (text[at] === '"') {
    const nameEnd = skipString(text, at);
    const isCells = JSON.parse(text.slice(at, nameEnd)) === "cells";
    const start = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = skipValue(text, start);
    if (isCells) found = { list: { start: start + 1, end: end - 1 }, spans: listSpans(text, start, end) };
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
  return found;
}

function listSpans(text: string, start: number, end: number): readonly Span[] {
  const spans: Span[] = [];
  let at = skipSpace(text, start + 1);
  while (at < end - 1) {
    const span = { start: at, end: skipValue(text, at) };
    spans.push(span);
    at = skipSpace(text, skipSpace(text, span.end) + 1);
  }
  return spans;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const letter = text[at] ?? "";
    if (letter === '"') {
      at = skipString(text, at);
      continue;
    }
    if (letter === "{" || letter === "[") depth += 1;
    if (letter === "}" || letter === "]") depth -= 1;
    at += 1;
  } while (at < text.length && (depth > 0 || !/[\s,\]}]/.test(text[at] ?? "")));
  return at;
}

export function replaceCell({ text, spans }: Notebook, index: number, cell: JsonCell): string {
  const { start, end } = spanAt(spans, index);
  return text.slice(0, start) + renderCell(text, cell, start) + text.slice(end);
}

/** `index` is where the new cell will stand. */
export function insertCell({ text, spans, list }: Notebook, index: number, cell: JsonCell): string {
  if (spans.length === 0) {
    const indentation = indentationOf(text);
    const ending = indentation === "" ? "" : (lineEndingOf(text) ?? "\n");
    const begin = ending + indentation.repeat(2);
    const rendered = renderCell(text, cell, undefined);
    return text.slice(0, list.start) + begin + rendered + ending + indentation + text.slice(list.end);
  }
  const [first] = spans;
  const place = index === 0 ? spanAt(spans, 0).start : spanAt(spans, index - 1).end;
  const rendered = renderCell(text, cell, first?.start);
  const separator = text.slice(list.start, first?.start);
  const inserted = index === 0 ? `${rendered},${separator}` : `,${separator}${rendered}`;
  return text.slice(0, place) + inserted + text.slice(place);
}

export function deleteCell({ text, spans, list }: Notebook, index: number): string {
  const { start, end } = spanAt(spans, index);
  if (spans.length === 1) return text.slice(0, list.start) + text.slice(list.end);
  const next = spans[index + 1];
  if (next !== undefined) return text.slice(0, start) + text.slice(next.start);
  return text.slice(0, spanAt(spans, index - 1).end) + text.slice(end);
}

function spanAt(spans: readonly Span[], index: number): Span {
  const span = spans[index];
  if (span === undefined) throw new Error(`the notebook has no cell ${index}`);
  return span;
}

/** Indented like the cell that begins at `start`, or like the first cell of a list. */
function renderCell(text: string, cell: JsonCell, start: number | undefined): string {
  const indentation = indentationOf(text);
  const rendered = JSON.stringify(cell, null, indentation);
  if (indentation === "") return rendered;
  const lineStart = start === undefined ? 0 : text.lastIndexOf("\n", start) + 1;
  const margin =
    start === undefined ? indentation.repeat(2) : (/^[ \t]*/.exec(text.slice(lineStart, start))?.[0] ?? "");
  return withLineEnding(rendered.replaceAll("\n", `\n${margin}`), lineEndingOf(text) ?? "\n");
}

/** What stands before the first name of the notebook; empty if all is on one line. */
function indentationOf(text: string): string {
  return /^\s*\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? "";
}
