/**
 * The bundler plugin that puts the texts of the web app where they are used.
 *
 * The sources have them in tables under `src/texts`, which a writer reads. In the page each table would be a list of
 * variables, which costs 1.6 KB of the 100 KB that a first visit may load; a text at its place costs nothing more.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Plugin } from "vite";

const tableImport = /^import \* as texts from "(\.[^"]*\/texts\/[^"]+\.ts)";$/m;
const fixedText = /^export const (\w+) =\s+("(?:[^"\\]|\\.)*");$/gm;

export const inlineTexts: Plugin = {
  name: "inline-texts",
  enforce: "pre",
  transform(code, id) {
    const [, table] = tableImport.exec(code) ?? [];
    return table === undefined ? undefined : withTexts(code, readFileSync(resolve(dirname(id), table), "utf8"));
  },
};

/** What has slots is a function, and is called as before. */
export function withTexts(code: string, table: string): string {
  const fixed = new Map([...table.matchAll(fixedText)].map(([, name = "", text = ""]) => [name, text]));
  return code.replaceAll(/\btexts\.(\w+)\b/g, (use, name: string) => fixed.get(name) ?? use);
}
