/** The notes that go beside the bytes of a terminal, as JSON in text frames. */
import { areCells } from "./prepare-start.ts";

export type ServerNote =
  /** The bytes that follow begin at this cursor; `lost` that come before it are not kept any more. */
  | { readonly type: "cursor"; readonly cursor: number; readonly lost?: number }
  | { readonly type: "exit"; readonly exitCode: number };

export type ClientNote =
  | { readonly type: "resize"; readonly columns: number; readonly rows: number }
  /** Ends the terminal, not only the connection. */
  | { readonly type: "close" };

export type ReadNote =
  | { readonly ok: true; readonly note: ClientNote }
  | { readonly ok: false; readonly problem: string };

/** The problem is short enough for the reason of a closed WebSocket. */
export function readTerminalNote(text: string): ReadNote {
  const note = parse(text);
  if (note === undefined) {
    return { ok: false, problem: "A text frame is a JSON object with a type. Send keys as binary frames." };
  }
  switch (note.type) {
    case "close":
      return { ok: true, note: { type: "close" } };
    case "resize": {
      const { columns, rows } = note;
      if (areCells(columns) && areCells(rows)) return { ok: true, note: { type: "resize", columns, rows } };
      return { ok: false, problem: "A resize needs columns and rows, both from 1 to 1,000." };
    }
    default:
      return { ok: false, problem: "The type of a text frame must be resize or close." };
  }
}

type Fields = { readonly type?: unknown; readonly columns?: unknown; readonly rows?: unknown };

function parse(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
