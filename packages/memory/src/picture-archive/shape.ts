/** How a frame is laid out, and which layout a model reads best: a table, chosen by the model's id, else by its wire. */
import { textBeside } from "@kedge/protocol/text-file";
import type { FontName } from "./font.ts";

/** `dim` prints stop words and tool output grey, `sentence` gives each sentence a hue and tool output grey. */
export type InkStyle = "black" | "dim" | "sentence" | "sentence-dim";

type Layout = {
  readonly font: FontName;
  /** From one character to the next. */
  readonly advancePx: number;
  /** From one row to the next. */
  readonly pitchPx: number;
  /** With two, words are not broken. */
  readonly columns: 1 | 2;
  /** How often each row is printed. */
  readonly copies: 1 | 2;
  readonly ink: InkStyle;
};

export type Shape = Layout & {
  readonly name: string;
  readonly widthPx: number;
  /** A frame is only as tall as what is printed on it. */
  readonly heightPxMax: number;
};

/** `wire` is the name of the protocol that carries the request, where it is known. */
export type FrameModel = { readonly id: string; readonly provider: string; readonly wire?: string };

type Choice = { readonly shape: string; readonly framePx: number };

type ShapeTable = {
  /** A shape may have a frame of its own size, whatever the model. */
  readonly shapes: { readonly [name: string]: Layout & { readonly framePx?: number } };
  /** The first whose words the id contains, in lower case. */
  readonly lines: readonly (Choice & { readonly words: readonly string[] })[];
  readonly wires: { readonly [wire: string]: Choice };
  readonly otherwise: Choice;
};

/** A name that is not in the table counts as none; `shapeNames` says which are. */
export function shapeFor({ id, wire }: FrameModel, forced?: string): Shape {
  const table = shapeTable();
  const lowerId = id.toLowerCase();
  const line = table.lines.find(({ words }) => words.some((word) => lowerId.includes(word)));
  const { shape, framePx } = line ?? table.wires[wire ?? ""] ?? table.otherwise;
  const name = forced !== undefined && Object.hasOwn(table.shapes, forced) ? forced : shape;
  const found = table.shapes[name];
  if (found === undefined) throw new Error(`the shape ${name} is not in the table of shapes`);
  const { framePx: ownPx = framePx, ...layout } = found;
  return { ...layout, name, widthPx: ownPx, heightPxMax: ownPx };
}

export function shapeNames(): readonly string[] {
  return Object.keys(shapeTable().shapes);
}

function shapeTable(): ShapeTable {
  // Our own file, whose shape a test checks.
  return JSON.parse(textBeside(import.meta.url, "./shapes.json")) as ShapeTable;
}
