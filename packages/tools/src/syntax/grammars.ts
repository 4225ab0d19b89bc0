/** Parses source files: loads each grammar when the first file of its language comes, and survives those that fail. */
import { createRequire } from "node:module";
import { extname } from "node:path";
import type * as TreeSitter from "web-tree-sitter";
import { type GrammarRow, grammarTable } from "./grammar-table.ts";
import { type SyntaxNode, takeTree } from "./syntax-tree.ts";

export type ParsedSource =
  | { readonly ok: true; readonly root: SyntaxNode }
  /** Why there is no tree; `detail` is a sentence for the model. */
  | { readonly ok: false; readonly detail: string };

export interface Grammars {
  readonly languages: readonly string[];
  /** By the extension of the file; undefined when there is no grammar for it. */
  rowOf(path: string): GrammarRow | undefined;
  parse(row: GrammarRow, text: string): Promise<ParsedSource>;
}

const sourceCharactersMax = 2 * 1_024 * 1_024;
/** Parsers of deeply nested text have ended in an abort of their whole memory. */
const nestingMax = 1_000;
const crashesMax = 3;

/** What one loaded parser library holds. An abort leaves its memory unusable, so it is thrown away as a whole. */
type Runtime = {
  readonly library: typeof TreeSitter;
  readonly parser: TreeSitter.Parser;
  readonly languages: Map<string, Promise<TreeSitter.Language>>;
};

export function createGrammars(table: readonly GrammarRow[] = grammarTable): Grammars {
  const rows = new Map(table.flatMap((row) => row.extensions.map((extension) => [extension, row] as const)));
  const crashes = new Map<string, number>();
  const unusable = new Map<string, string>();
  let runtime: Promise<Runtime> | undefined;

  async function loadLanguage(row: GrammarRow): Promise<{ runtime: Runtime; language: TreeSitter.Language }> {
    runtime ??= loadRuntime();
    const loaded = await runtime;
    let language = loaded.languages.get(row.language);
    if (language === undefined) {
      language = loaded.library.Language.load(createRequire(import.meta.url).resolve(row.wasm));
      loaded.languages.set(row.language, language);
    }
    return { runtime: loaded, language: await language };
  }

  /** Only calls into the parser and its files stand inside, so whatever is thrown is the grammar's fault. */
  async function guard<Result>(row: GrammarRow, what: string, work: () => Result | Promise<Result>) {
    try {
      return { ok: true, value: await work() } as const;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const detail = `The ${row.language} grammar ${what}: ${error.message.split("\n")[0]}.`;
      return { ok: false, detail } as const;
    }
  }

  return {
    languages: table.map(({ language }) => language),
    rowOf: (path) => rows.get(extname(path).toLowerCase()),
    async parse(row, text) {
      const known = unusable.get(row.language) ?? describeUnfit(text);
      if (known !== undefined) return { ok: false, detail: known };
      const loaded = await guard(row, "cannot be loaded", () => loadLanguage(row));
      if (!loaded.ok) {
        unusable.set(row.language, loaded.detail);
        return loaded;
      }
      const parsed = await guard(row, "failed", () => parseText(loaded.value.runtime, loaded.value.language, text));
      if (parsed.ok) return { ok: true, root: parsed.value };
      runtime = undefined;
      const count = (crashes.get(row.language) ?? 0) + 1;
      crashes.set(row.language, count);
      if (count >= crashesMax) unusable.set(row.language, parsed.detail);
      return parsed;
    },
  };
}

/** A fresh copy of the library each time: it keeps its memory in a variable of its own module. */
async function loadRuntime(): Promise<Runtime> {
  const require = createRequire(import.meta.url);
  delete require.cache[require.resolve("web-tree-sitter")];
  // The package describes its CommonJS form by the same declarations.
  const library = require("web-tree-sitter") as typeof TreeSitter;
  await library.Parser.init();
  return { library, parser: new library.Parser(), languages: new Map() };
}

function parseText({ parser }: Runtime, language: TreeSitter.Language, text: string): SyntaxNode {
  parser.setLanguage(language);
  const tree = parser.parse(text);
  if (tree === null) throw new Error("it gave no tree");
  try {
    return takeTree(tree);
  } finally {
    tree.delete();
  }
}

/** What makes a text unsafe to parse. */
function describeUnfit(text: string): string | undefined {
  if (text.length > sourceCharactersMax) return `The file is longer than ${sourceCharactersMax} characters.`;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x28: // (
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > nestingMax) return `The file is nested more than ${nestingMax} brackets deep.`;
        break;
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        if (depth > 0) depth -= 1;
        break;
    }
  }
  return undefined;
}
