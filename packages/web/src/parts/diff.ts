/** A diff as a table: numbers of both sides, changed words marked, long unchanged runs folded. */
import { type DiffFile, diffCounts, readUnifiedDiff } from "@kedge/protocol";
import {
  diffLines,
  type Line,
  languageOfPath,
  restyle,
  type ShownFile,
  type ShownHunk,
  type ShownLine,
  type ShownPart,
  shownDiff,
} from "@kedge/tui/drawing";
import { type ComponentChildren, h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import { coloured } from "./code.ts";
import type { Look } from "./look.ts";
import { visibleLine, visibleText } from "./visible-text.ts";

/** An opened diff; a longer one says how much is left out. */
const linesMaxUsual = 400;

export type DiffProps = {
  readonly files: readonly DiffFile[];
  /** Of the file where the diff itself does not name it. */
  readonly path: string;
  readonly look: Look;
  readonly linesMax?: number;
};

/** A unified diff as somebody wrote it; where it cannot be read as one it is shown as text. */
export function PatchDiff({ patch, ...rest }: Omit<DiffProps, "files"> & { readonly patch: string }): JSX.Element {
  const { files } = readUnifiedDiff(patch);
  if (files.length === 0) return h("pre", { class: "plain", tabIndex: 0 }, visibleText(patch));
  return h(Diff, { files, ...rest });
}

export type ReplacementProps = Omit<DiffProps, "files"> & { readonly before: string; readonly after: string };

export function ReplacementDiff({ before, after, ...rest }: ReplacementProps): JSX.Element {
  return h(Diff, { files: [diffLines(before, after, rest.path)], ...rest });
}

export function Diff({ files, path, look, linesMax = linesMaxUsual }: DiffProps): JSX.Element {
  const shown = shownDiff(files, linesMax);
  const isNamed = shown.files.length > 1;
  const left = shown.leftOut === 0 ? undefined : h("p", { class: "note" }, texts.moreLines(shown.leftOut));
  return h(
    "div",
    { class: "diff" },
    shown.files.map((file) => drawFile(file, file.path || path, isNamed, look)),
    left,
  );
}

/** "+3 -1" for headings. */
export function countsOf(files: readonly DiffFile[]): string {
  const { added, removed } = diffCounts(files);
  return `+${added} -${removed}`;
}

function drawFile(file: ShownFile, path: string, isNamed: boolean, look: Look): ComponentChildren {
  const name = visibleLine(path);
  const body = file.isBinary
    ? h("p", { class: "note" }, texts.binaryFile)
    : h(
        "div",
        { class: "diff-frame", tabIndex: 0, role: "group", "aria-label": texts.changesIn(name) },
        h(
          "table",
          {},
          h(
            "tbody",
            {},
            file.hunks.map((hunk) => hunkRows(hunk, languageOfPath(path), look)),
          ),
        ),
      );
  return h("div", { class: "diff-file" }, isNamed ? h("p", { class: "diff-path" }, name) : undefined, body);
}

function hunkRows({ parts }: ShownHunk, language: string, look: Look): ComponentChildren[] {
  const colours = coloursOf(parts, language, look);
  return parts.flatMap((part) => partRows(part, colours));
}

function partRows(part: ShownPart, colours: ReadonlyMap<ShownLine, Line>): readonly JSX.Element[] {
  switch (part.kind) {
    case "context":
      return [lineRow(part.line, colours)];
    case "change": {
      const rows = [...part.removed, ...part.added].map((line) => lineRow(line, colours));
      return part.isSpacingOnly ? [...rows, noteRow(texts.whitespaceOnly)] : rows;
    }
    case "fold":
      return [noteRow(foldText(part))];
  }
}

function foldText({ count, heading }: Extract<ShownPart, { kind: "fold" }>): string {
  const lines = texts.unchangedLines(count);
  return heading === "" ? lines : `${lines} ${heading}`;
}

function noteRow(text: string): JSX.Element {
  return h("tr", { class: "fold" }, h("td", { colSpan: 4 }, text));
}

const signs = { context: " ", added: "+", removed: "-" } as const;

function lineRow(line: ShownLine, colours: ReadonlyMap<ShownLine, Line>): JSX.Element {
  let text: Line = colours.get(line) ?? [{ text: line.text, style: {} }];
  for (const range of line.changed) text = restyle(text, range, { isInverse: true });
  const { kind, oldNumber, newNumber, isUnended } = line;
  return h(
    "tr",
    { class: kind },
    h("td", { class: "number" }, oldNumber ?? ""),
    h("td", { class: "number" }, newNumber ?? ""),
    h("td", { class: "sign" }, signs[kind]),
    h("td", { class: "line" }, coloured(text), isUnended ? h("span", { class: "note" }, texts.noNewline) : undefined),
  );
}

/** Each side of a hunk is coloured as one text, so that comments and strings of several lines come out right. */
function coloursOf(parts: readonly ShownPart[], language: string, { highlight }: Look): ReadonlyMap<ShownLine, Line> {
  const lines = parts.flatMap((part) =>
    part.kind === "context" ? [part.line] : part.kind === "change" ? [...part.removed, ...part.added] : [],
  );
  const colours = new Map<ShownLine, Line>();
  for (const side of ["removed", "added"] as const) {
    const sideLines = lines.filter(({ kind }) => kind === "context" || kind === side);
    const spans = highlight.spans(sideLines.map(({ text }) => text).join("\n"), language);
    for (const [index, line] of sideLines.entries()) colours.set(line, spans[index] ?? []);
  }
  return colours;
}
