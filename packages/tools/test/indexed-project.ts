/** A temporary project with an index over it, for the tests of this folder. */
import { mkdirSync } from "node:fs";
import { basename } from "node:path";
import {
  type CodeFindings,
  type CodeIndexParts,
  type CodeQuery,
  createCodeIndex,
} from "../src/code-index/code-index.ts";
import { findRipgrep } from "../src/searching/find-ripgrep.ts";
import { createGrammars, type Grammars } from "../src/syntax/grammars.ts";
import { everythingReadable, openWorkshop } from "./workshop.ts";

export type IndexedProject = ReturnType<typeof openIndexedProject>;

const grammars = createGrammars();

export function openIndexedProject() {
  const workshop = openWorkshop();
  mkdirSync(workshop.at("project"));
  const databasePath = workshop.at("data/code-index/project.db");

  const newIndex = (parts: Partial<CodeIndexParts> = {}) =>
    createCodeIndex({
      path: databasePath,
      ripgrepPath: findRipgrep,
      childEnvironment: () => ({}),
      grammars,
      isSecret: (path) => basename(path).startsWith(".env"),
      now: () => performance.now(),
      ...parts,
    });

  const findings = (query: string, index = newIndex(), more: Partial<CodeQuery> = {}): Promise<CodeFindings> =>
    index.search({
      root: workshop.at("project"),
      query,
      hitsMax: 50,
      reading: everythingReadable,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...more,
    });

  async function found(query: string, index = newIndex(), more: Partial<CodeQuery> = {}) {
    const result = await findings(query, index, more);
    if (result.kind !== "found") throw new Error(JSON.stringify(result));
    return result;
  }

  const put = (name: string, content: string | Buffer): string => workshop.put(`project/${name}`, content);

  return {
    workshop,
    databasePath,
    newIndex,
    findings,
    found,
    /** Where the hits are, best first. */
    async places(query: string, index = newIndex(), more: Partial<CodeQuery> = {}): Promise<readonly string[]> {
      const { hits } = await found(query, index, more);
      return hits.map(({ path, symbol }) => (symbol === "" ? path : `${path} ${symbol}`));
    },
    put,
    /** All of them have the word `common`, each a `needle` of its own. */
    putMany(count: number): void {
      for (let index = 0; index < count; index += 1)
        put(`many/file-${index}.ts`, functionText(`work${index}`, `return needle${index} + common;`));
    },
  };
}

export function withParseHook(onParse: () => void): Grammars {
  return {
    ...grammars,
    parse: (row, text) => {
      onParse();
      return grammars.parse(row, text);
    },
  };
}

export function functionText(name: string, ...lines: readonly string[]): string {
  return [`export function ${name}() {`, ...lines.map((line) => `  ${line}`), "  step();", "  step();", "}", ""].join(
    "\n",
  );
}
