/** Finds the lines of the piece of code that begins on a given line, by its syntax tree. */
import { extname } from "node:path";
import { createGrammars, type Grammars } from "./grammars.ts";
import { endOfCode, indexLines, type SyntaxNode, walkTree } from "./syntax-tree.ts";

export type ResolvedBlock =
  /** Lines counted from 1, both included. */
  | { readonly ok: true; readonly first: number; readonly last: number }
  | {
      readonly ok: false;
      readonly reason: "no-grammar" | "blank" | "closing" | "no-node" | "syntax-error";
      /** A sentence for the model. */
      readonly detail: string;
    };

export type BlockResolver = (path: string, text: string, line: number) => Promise<ResolvedBlock>;

/** Nothing but ends; a closing tag and the end of a conditional group count as well. */
const closesOnly = /^\s*(?:(?:[)\]}]|<\/[\w.:-]*>)(?:[)\]};,\s]|<\/[\w.:-]*>)*|#\s*endif\b.*)$/;
/** Taking such a line away as the first of a block would take the end of another one with it. */
const closesFirst = /^\s*(?:[)\]}]|<\/)/;
/** What may follow a piece of code on its last line without belonging to other code. */
const harmlessRest = /^[\s,;]*(?:(?:\/\/|\/\*|#).*)?$/;
const statementRuns: ReadonlySet<string> = new Set(["block", "statement_list"]);

export function createBlockResolver(grammars: Grammars = createGrammars()): BlockResolver {
  return async (path, text, line) => {
    const row = grammars.rowOf(path);
    if (row === undefined) return fail("no-grammar", `No grammar for ${extname(path) || "such"} files.`);
    const lines = text.split("\n");
    const lineText = lines[line - 1];
    if (lineText === undefined) return fail("no-node", `The file has ${lines.length} lines.`);
    if (lineText.trim() === "") return fail("blank", `Line ${line} is blank.`);
    if (closesOnly.test(lineText)) return fail("closing", `Line ${line} only closes a block.`);
    if (closesFirst.test(lineText)) return fail("no-node", `Line ${line} begins with the end of another block.`);
    const parsed = await grammars.parse(row, text);
    if (!parsed.ok) return fail("no-grammar", parsed.detail);
    return chooseNode(parsed.root, text, line);
  };
}

function chooseNode(root: SyntaxNode, text: string, line: number): ResolvedBlock {
  const lineOf = indexLines(text);
  const lastLine = (node: SyntaxNode) => lineOf(endOfCode(node, text) - 1);
  const { beginning, runsThrough } = lookAtLine(root, text, lineOf, line);
  const chosen = runsThrough ? undefined : (beginning.find((node) => lastLine(node) > line) ?? longest(beginning));
  if (chosen === undefined) return fail("no-node", `No code block starts on line ${line}.`);
  const last = lastLine(chosen);
  if (chosen.hasError) return fail("syntax-error", `The code from line ${line} to ${last} has a syntax error.`);
  const rest = text.slice(endOfCode(chosen, text), endOfLine(text, endOfCode(chosen, text)));
  if (last > line && !harmlessRest.test(rest))
    return fail("no-node", `The code that begins on line ${line} shares its last line ${last} with other code.`);
  return { ok: true, first: line, last };
}

/** The nodes that begin on a line, outer before inner, and whether a text or comment from above still goes on there. */
function lookAtLine(root: SyntaxNode, text: string, lineOf: (position: number) => number, line: number) {
  const beginning: SyntaxNode[] = [];
  let runsThrough = false;
  const touchesLine = ({ start, end }: SyntaxNode) => end > start && lineOf(start) <= line && lineOf(end - 1) >= line;
  for (const node of walkTree(root, touchesLine)) {
    if (node === root) continue;
    const isLeaf = node.children.length === 0;
    if (lineOf(node.start) === line) {
      // The rest of a template or a comment after code is no piece of code that could be exchanged by lines.
      const isTail = isLeaf && lineOf(endOfCode(node, text) - 1) > line && !isFirstOnLine(node, text);
      if (node.isNamed && !isTail && !isStatementRun(node, text)) beginning.push(node);
    } else if (isLeaf && lineOf(endOfCode(node, text) - 1) >= line) runsThrough = true;
  }
  return { beginning, runsThrough };
}

function isFirstOnLine(node: SyntaxNode, text: string): boolean {
  return text.slice(text.lastIndexOf("\n", node.start - 1) + 1, node.start).trim() === "";
}

/** Some grammars have a node for a run of statements without any braces; it begins where its first statement begins. */
function isStatementRun(node: SyntaxNode, text: string): boolean {
  return statementRuns.has(node.type) && text[node.start] !== "{";
}

function longest(nodes: readonly SyntaxNode[]): SyntaxNode | undefined {
  return nodes.reduce<SyntaxNode | undefined>(
    (best, node) => (best === undefined || node.end - node.start > best.end - best.start ? node : best),
    undefined,
  );
}

function endOfLine(text: string, position: number): number {
  const end = text.indexOf("\n", position);
  return end === -1 ? text.length : end;
}

type Failure = Extract<ResolvedBlock, { readonly ok: false }>;

function fail(reason: Failure["reason"], detail: string): Failure {
  return { ok: false, reason, detail };
}
