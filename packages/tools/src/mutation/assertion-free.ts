/** Finds tests that check nothing: whatever the code does, they pass. */
import type { Grammars } from "../syntax/grammars.ts";
import { indexLines, type SyntaxNode, walkTree } from "../syntax/syntax-tree.ts";

export type AssertionFreeTest = {
  /** Counted from 1. */
  readonly line: number;
  /** How the test begins. */
  readonly name: string;
};

type TestWords = {
  /** Nodes that may be a test. */
  readonly nodes: readonly string[];
  /** How such a node begins. */
  readonly isTest: RegExp;
  /** How the text before it ends. */
  readonly follows?: RegExp;
  /** What checks something. */
  readonly checks: RegExp;
};

const javaScript: TestWords = {
  nodes: ["call_expression"],
  isTest: /^(?:test|it)(?:\.(?:only|concurrent|each)\b.*?)?\(/s,
  checks: /\b(?:assert\w*|expect\w*|should|throws|rejects|toMatchSnapshot)\b|\bt\.\w+\(/,
};

const wordsOf: { readonly [language: string]: TestWords } = {
  JavaScript: javaScript,
  TypeScript: javaScript,
  TSX: javaScript,
  Python: {
    nodes: ["function_definition"],
    isTest: /^(?:async )?def test/,
    checks: /\bassert|self\.(?:assert|fail)|\b(?:raises|warns|fail)\(/,
  },
  Go: {
    nodes: ["function_declaration"],
    isTest: /^func Test/,
    checks: /\.(?:Error|Fatal|Fail)|\bassert\.|\brequire\./,
  },
  Java: {
    nodes: ["method_declaration"],
    isTest: /^@(?:Parameterized)?Test/,
    checks: /assert|fail\(|verify\(|expect/i,
  },
  Rust: {
    nodes: ["function_item"],
    isTest: /^/,
    follows: /#\[(?:\w+::)?test\]\s*(?:#\[[^\]]*\]\s*)*$/,
    checks: /assert|panic!|should_panic|unwrap|\?;/,
  },
};

const charactersBefore = 80;
const nameCharacters = 60;

/** None for a language whose tests are not known. */
export async function findAssertionFreeTests(
  grammars: Grammars,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<readonly AssertionFreeTest[]> {
  const row = grammars.rowOf(path);
  const words = row === undefined ? undefined : wordsOf[row.language];
  if (row === undefined || words === undefined) return [];
  const parsed = await grammars.parse(row, text);
  if (!parsed.ok) return [];
  const lineOf = indexLines(text);
  const isEmptyTest = ({ type, start, end }: SyntaxNode) => {
    if (!words.nodes.includes(type)) return false;
    const own = text.slice(start, end);
    const isMarked = words.follows?.test(text.slice(Math.max(0, start - charactersBefore), start)) ?? true;
    return isMarked && words.isTest.test(own) && !words.checks.test(own);
  };
  return [...walkTree(parsed.root, () => true)].filter(isEmptyTest).map(({ start, end }) => {
    const [first = ""] = text.slice(start, end).split("\n");
    return { line: lineOf(start), name: first.slice(0, nameCharacters).trim() };
  });
}
