/** Diagnostics as a server sent them: what is none is left out, and no part of it is believed to be what it should be. */
import { isJsonObject, stripTerminalControls } from "@kedge/protocol";
import type { Diagnostic, Range } from "vscode-languageserver-protocol";
import { fromServer, type PositionEncoding } from "./position-encoding.ts";

/** Undefined where there is no list at all. */
export function readDiagnostics(
  items: unknown,
  { text, encoding }: { readonly text: string; readonly encoding: PositionEncoding },
): readonly Diagnostic[] | undefined {
  if (!Array.isArray(items)) return undefined;
  const lines = encoding === "utf-16" ? [] : text.split(/\r?\n/);
  const place = ({ line, character }: Place): Place => ({
    line,
    character: fromServer(lines[line] ?? "", character, encoding),
  });
  return items.flatMap((item: unknown): readonly Diagnostic[] => {
    if (!isJsonObject(item)) return [];
    const range = rangeOf(item["range"]);
    const message = messageOf(item["message"]);
    if (range === undefined || message === undefined) return [];
    const { source, severity, code } = item;
    return [
      {
        ...item,
        range: { start: place(range.start), end: place(range.end) },
        message,
        severity: severity === 2 || severity === 3 || severity === 4 ? severity : 1,
        source: typeof source === "string" ? stripTerminalControls(source) : undefined,
        code: codeOf(code),
      } as Diagnostic,
    ];
  });
}

type Place = { readonly line: number; readonly character: number };

function rangeOf(value: unknown): Range | undefined {
  const start = isJsonObject(value) ? placeOf(value["start"]) : undefined;
  if (start === undefined) return undefined;
  const end = isJsonObject(value) ? placeOf(value["end"]) : undefined;
  return { start, end: end ?? start };
}

function placeOf(value: unknown): Place | undefined {
  if (!isJsonObject(value)) return undefined;
  const { line, character } = value;
  return isCount(line) && isCount(character) ? { line, character } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function messageOf(value: unknown): string | undefined {
  const text = isJsonObject(value) ? value["value"] : value;
  return typeof text === "string" ? stripTerminalControls(text) : undefined;
}

/** A number or a name; some servers put it into an object. */
function codeOf(value: unknown): string | number | undefined {
  const code = isJsonObject(value) ? value["value"] : value;
  return typeof code === "number" ? code : typeof code === "string" ? stripTerminalControls(code) : undefined;
}
