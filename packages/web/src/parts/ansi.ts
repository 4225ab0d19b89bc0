/** Colours of terminal output as names of classes: a page that allows no style of its own can still show them. */
import { stripControlSequences } from "@kedge/protocol";

export type AnsiSpan = { readonly text: string; readonly classes: string };

type Pen = {
  readonly color: number | undefined;
  readonly background: number | undefined;
  readonly marks: ReadonlySet<Mark>;
};
type Mark = "bold" | "faint" | "italic" | "underline" | "inverse" | "strike";

const escapeCode = "\u001b";
const blank: Pen = { color: undefined, background: undefined, marks: new Set() };
const colorSequence = new RegExp(`${escapeCode}\\[([\\d;:]*)m`, "g");
const marksOn: ReadonlyMap<number, Mark> = new Map<number, Mark>([
  [1, "bold"],
  [2, "faint"],
  [3, "italic"],
  [4, "underline"],
  [7, "inverse"],
  [9, "strike"],
]);
const marksOff: ReadonlyMap<number, readonly Mark[]> = new Map<number, readonly Mark[]>([
  [22, ["bold", "faint"]],
  [23, ["italic"]],
  [24, ["underline"]],
  [27, ["inverse"]],
  [29, ["strike"]],
]);

/** One line. What a carriage return overwrote is gone, as it is on a terminal. */
export function ansiSpans(line: string): readonly AnsiSpan[] {
  const written = line.split("\r");
  const text = written.findLast((piece) => piece.replaceAll(colorSequence, "").trim() !== "") ?? "";
  if (!text.includes(escapeCode)) return text === "" ? [] : [{ text: stripControlSequences(text), classes: "" }];
  const spans: AnsiSpan[] = [];
  let pen = blank;
  let from = 0;
  const add = (end: number) => {
    const piece = stripControlSequences(text.slice(from, end));
    if (piece !== "") spans.push({ text: piece, classes: classesOf(pen) });
  };
  for (const match of text.matchAll(colorSequence)) {
    add(match.index);
    pen = changed(pen, match[1] ?? "");
    from = match.index + match[0].length;
  }
  add(text.length);
  return spans;
}

function classesOf({ color, background, marks }: Pen): string {
  const names = [...marks].map((mark) => `ansi-${mark}`);
  if (color !== undefined) names.unshift(`ansi-${color}`);
  if (background !== undefined) names.push(`ansi-on-${background}`);
  return names.join(" ");
}

function changed(before: Pen, parameters: string): Pen {
  const codes = parameters === "" ? [0] : parameters.split(/[;:]/).map(Number);
  let pen = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    const on = marksOn.get(code);
    const off = marksOff.get(code);
    if (code === 0) pen = blank;
    else if (on !== undefined) pen = { ...pen, marks: new Set([...pen.marks, on]) };
    else if (off !== undefined) pen = { ...pen, marks: new Set([...pen.marks].filter((mark) => !off.includes(mark))) };
    else if (code === 38 || code === 48) {
      const { color, used } = extendedColor(codes.slice(at + 1));
      pen = code === 38 ? { ...pen, color } : { ...pen, background: color };
      at += used;
    } else pen = basicColor(pen, code);
  }
  return pen;
}

function basicColor(pen: Pen, code: number): Pen {
  if (code === 39) return { ...pen, color: undefined };
  if (code === 49) return { ...pen, background: undefined };
  if (code >= 30 && code <= 37) return { ...pen, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...pen, color: code - 90 + 8 };
  if (code >= 40 && code <= 47) return { ...pen, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...pen, background: code - 100 + 8 };
  return pen;
}

/** Of 256 or 16 million colours the nearest of the sixteen, which every theme can show on its background. */
function extendedColor(codes: readonly number[]): { readonly color: number | undefined; readonly used: number } {
  const [kind, first = 0, green = 0, blue = 0] = codes;
  if (kind === 2) return { color: nearestColor(first, green, blue), used: 4 };
  if (kind !== 5) return { color: undefined, used: 0 };
  if (first < 16) return { color: first, used: 2 };
  if (first >= 232) return { color: nearestColor(...grey(first)), used: 2 };
  const cube = first - 16;
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const levels = [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)] as const;
  return { color: nearestColor(...levels), used: 2 };
}

function grey(index: number): readonly [number, number, number] {
  const value = 8 + (index - 232) * 10;
  return [value, value, value];
}

function nearestColor(red: number, green: number, blue: number): number {
  const brightest = Math.max(red, green, blue);
  const isGrey = brightest - Math.min(red, green, blue) < 40;
  if (isGrey) return brightest < 64 ? 0 : brightest < 128 ? 8 : brightest < 208 ? 7 : 15;
  const half = brightest / 1.6;
  const index = (red > half ? 1 : 0) + (green > half ? 2 : 0) + (blue > half ? 4 : 0);
  return index + (brightest > 200 ? 8 : 0);
}
