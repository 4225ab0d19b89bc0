/** The languages that have a grammar: where it lies, which files it reads, and how a pattern is written in it. */

export type GrammarRow = {
  readonly language: string;
  /** The wasm file inside of an installed package, or an absolute path. */
  readonly wasm: string;
  /** With the dot, in lower case. */
  readonly extensions: readonly string[];
  /**
   * Surroundings in which a statement, an expression or a declaration can stand, `%` being the place; the first in
   * which a pattern parses counts. A grammar reads whole files only, and in most languages an expression is no file.
   */
  readonly surroundings: readonly string[];
  /** Surroundings of members, types and the like, for patterns that parse in none of the above; all of them count. */
  readonly inner: readonly string[];
  /** Types of nodes that a pattern has by accident; it means something of the inner surroundings instead. */
  readonly improbable?: readonly string[];
  /** Ways to write a placeholder that stands alone where a statement or a member stands, `@` being its name. */
  readonly standalone: readonly string[];
  /** The same for placeholders between parentheses and commas, where more than the name alone is needed. */
  readonly listed?: readonly string[];
};

const inClass = "class K { % }";
const scriptForms = {
  surroundings: ["%", "async function* k() { % }"],
  inner: [inClass, "({ % })", "switch (k) { % }"],
  improbable: ["labeled_statement"],
  standalone: ["@", "@;"],
};
const typedForms = {
  ...scriptForms,
  inner: [...scriptForms.inner, "type K = %;", "interface K { % }"],
  improbable: ["labeled_statement", "instantiation_expression"],
};
const inFunction = ["void k() { %; }", "void k() { % }"];

export const grammarTable: readonly GrammarRow[] = [
  {
    language: "JavaScript",
    wasm: "tree-sitter-javascript/tree-sitter-javascript.wasm",
    extensions: [".js", ".mjs", ".cjs", ".jsx"],
    ...scriptForms,
  },
  {
    language: "TypeScript",
    wasm: "tree-sitter-typescript/tree-sitter-typescript.wasm",
    extensions: [".ts", ".mts", ".cts"],
    ...typedForms,
  },
  {
    language: "TSX",
    wasm: "tree-sitter-typescript/tree-sitter-tsx.wasm",
    extensions: [".tsx"],
    ...typedForms,
  },
  {
    language: "Python",
    wasm: "tree-sitter-python/tree-sitter-python.wasm",
    extensions: [".py", ".pyi"],
    surroundings: ["%", "async def k():\n    %"],
    inner: ["{ % }", "k(%)"],
    standalone: ["@"],
  },
  {
    language: "Go",
    wasm: "tree-sitter-go/tree-sitter-go.wasm",
    extensions: [".go"],
    surroundings: ["func k() { % }", "%\n"],
    inner: ["var k %\n", "type K struct { % }", "type K interface { % }"],
    standalone: ["@"],
  },
  {
    language: "Rust",
    wasm: "tree-sitter-rust/tree-sitter-rust.wasm",
    extensions: [".rs"],
    surroundings: ["%", "fn k() { % }"],
    inner: ["type K = %;", "impl K { % }", "match k { % }", "struct K { % }"],
    standalone: ["@", "@;", "@: u8", "fn @();"],
  },
  {
    language: "Java",
    wasm: "tree-sitter-java/tree-sitter-java.wasm",
    extensions: [".java"],
    surroundings: ["%", "%;", "class K { void k() { % } }"],
    inner: [inClass, "class K { % k; }"],
    standalone: ["@", "@;", "int @;"],
    listed: ["@", "int @"],
  },
  {
    language: "C",
    wasm: "tree-sitter-c/tree-sitter-c.wasm",
    extensions: [".c", ".h"],
    surroundings: [...inFunction, "%\n"],
    inner: ["struct K { % };"],
    standalone: ["@", "@;"],
  },
  {
    language: "C++",
    wasm: "tree-sitter-cpp/tree-sitter-cpp.wasm",
    extensions: [".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"],
    surroundings: [...inFunction, "%\n"],
    inner: ["struct K { % };"],
    standalone: ["@", "@;", "int @;"],
  },
];
