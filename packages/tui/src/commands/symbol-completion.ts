/** Symbols of the project for what was typed of a name: each stands for the place where it is written. */
import type { CompletionItem } from "../prompt/completion-question.ts";
import { answered, orNothing } from "./brief-memory.ts";
import { fromDirectory, type PathParts, placeOf } from "./path-completion.ts";

/** Behind `@`; a name without it may be that of a file. */
export const symbolSign = "#";

const symbolsMax = 50;

/** None where no language server can be asked. */
export async function completeSymbol(text: string, parts: PathParts): Promise<readonly CompletionItem[]> {
  if (text === "") return [];
  return orNothing(parts.remember(`symbol ${text}`, () => findSymbols(text, parts)));
}

async function findSymbols(text: string, parts: PathParts): Promise<readonly CompletionItem[]> {
  const { client, signal } = parts;
  const place = await placeOf(parts);
  const wish = { type: "symbol.find", text, limit: symbolsMax } as const;
  const { symbols } = answered(await client.ask<"symbol.find">(wish, { signal }));
  return symbols.map(({ name, kind, path, line, container }) => {
    const value = `${fromDirectory(path, place)}:${line}`;
    const label = container === undefined ? name : `${container}.${name}`;
    return { value, label, detail: `${kind}  ${value}` };
  });
}
