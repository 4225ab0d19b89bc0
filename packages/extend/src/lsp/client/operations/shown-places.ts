/** Places in files as lines for the model: path, line and column, and the line itself where the file may be read. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ToolContext } from "@kedge/protocol";
import type { Position } from "vscode-languageserver-protocol";
import { fromServer, type PositionEncoding } from "../position-encoding.ts";

export type Place = {
  readonly path: string;
  readonly position: Position;
  /** How the server counts characters that named it. */
  readonly encoding: PositionEncoding;
};

export const itemsMax = 200;
const lineCharactersMax = 200;

export type ShownPlaces = {
  /** Whether the file may be read without a question. */
  isOpen(path: string): boolean;
  /** `note` stands behind the place, before the line of the file. */
  line(place: Place, note?: string): string;
  /** What a server calls a file, as a path where it is one. */
  name(uri: string): string;
};

/** Each file is read once. What a person would be asked about first is named without its text. */
export function createShownPlaces(
  context: Pick<ToolContext, "reading">,
  shorten: (path: string) => string,
): ShownPlaces {
  const files = new Map<string, readonly string[]>();
  const isOpen = (path: string) => context.reading.of(path).answer === "allow";
  const linesOf = (path: string) => {
    const known = files.get(path) ?? (isOpen(path) ? readLines(path) : []);
    files.set(path, known);
    return known;
  };
  const name = (uri: string) => {
    const path = pathOf(uri);
    return path === undefined ? uri : shorten(path);
  };
  return {
    ...{ isOpen, name },
    line({ path, position: { line, character }, encoding }, note) {
      const whole = linesOf(path)[line] ?? "";
      const column = fromServer(whole, character, encoding) + 1;
      const text = whole.trim().slice(0, lineCharactersMax);
      const place = `${shorten(path)}:${line + 1}:${column}`;
      return [place, note, text].filter((part) => part !== undefined && part !== "").join("  ");
    },
  };
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split(/\r?\n/);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

/** Undefined for what is no file, such as a library inside of an archive. */
export function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** At most so many, and how many there are. */
export function listed(lines: readonly string[], nothing: string): string {
  if (lines.length === 0) return nothing;
  if (lines.length <= itemsMax) return lines.join("\n");
  return [...lines.slice(0, itemsMax), `… and ${lines.length - itemsMax} more`].join("\n");
}
