/** Gathers the parts of a word while it is read. */
import type { ExpansionPart, Nested, Script, Word, WordPart } from "./script.ts";

type GrowingText = { readonly kind: "text"; text: string; readonly isQuoted: boolean };
export type PartList = (ExpansionPart | GrowingText)[];

/** Neighbours that are quoted alike become one part; a quoted empty text stays, since it makes a word. */
export function addText(parts: PartList, text: string, options: { readonly isQuoted: boolean }): void {
  const last = parts.at(-1);
  if (last?.kind === "text" && last.isQuoted === options.isQuoted) last.text += text;
  else parts.push({ kind: "text", text, isQuoted: options.isQuoted });
}

export function addPart(parts: PartList, part: WordPart): void {
  if (part.kind === "text") addText(parts, part.text, part);
  else parts.push(part);
}

export type GrowingNested = {
  readonly scripts: Script[];
  readonly assigned: string[];
  readonly arithmetic: string[];
  readonly dangers: string[];
};

export function createNested(): GrowingNested {
  return { scripts: [], assigned: [], arithmetic: [], dangers: [] };
}

export const nothingNested: Nested = createNested();

export function absorb(nested: GrowingNested, parts: readonly WordPart[]): void {
  for (const part of parts) {
    if (part.kind === "text" || part.nested === nothingNested) continue;
    nested.scripts.push(...part.nested.scripts);
    nested.assigned.push(...part.nested.assigned);
    nested.arithmetic.push(...part.nested.arithmetic);
    nested.dangers.push(...part.nested.dangers);
  }
}

/** A word that gives no text, but does all this where it stands. */
export function toWord(nested: Nested): Word {
  const part = {
    kind: "expansion",
    source: "",
    isQuoted: true,
    variable: undefined,
    isProcess: false,
    nested,
  } as const;
  return { parts: [part], source: "", isContinued: false };
}

/** What is evaluated in the name of a variable: nothing, its subscript, or all of it where it is no plain name. */
export function subscriptOf(name: string): readonly string[] {
  if (/^[A-Za-z_]\w*$/.test(name)) return [];
  const subscript = /^[A-Za-z_]\w*\[(.*)\]$/s.exec(name)?.[1];
  return [subscript ?? name];
}
