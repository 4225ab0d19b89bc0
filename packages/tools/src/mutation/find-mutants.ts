/** Makes small changes of a piece of source code, each of which good tests notice. The same text gives the same ones. */
import { createHash } from "node:crypto";
import type { Grammars } from "../syntax/grammars.ts";
import { indexLines, isComment, type SyntaxNode, walkTree } from "../syntax/syntax-tree.ts";
import {
  argumentNodes,
  callNodes,
  conditionNodes,
  type LanguageWords,
  languageWords,
  type MutationOperator,
  numberNodes,
  operatorNodes,
  opposites,
  skippedNodes,
  stringNodes,
  swaps,
} from "./mutation-table.ts";

export type Mutant = {
  readonly operator: MutationOperator;
  /** Counted from 1. */
  readonly line: number;
  /** The whole file with the change in it. */
  readonly text: string;
  /** Such as `a < b` → `a <= b`, for people who look at survivors. */
  readonly before: string;
  readonly after: string;
  /** The same as long as its function stays the same, wherever in the file that is. */
  readonly identity: string;
};

export type MutationTarget = {
  /** Decides about the language. */
  readonly path: string;
  readonly text: string;
  /** Lines from 1, both included; the whole file without it. */
  readonly lines?: { readonly from: number; readonly to: number };
  readonly mutantsMax: number;
};

export type FoundMutants =
  | {
      readonly ok: true;
      readonly mutants: readonly Mutant[];
      readonly candidates: number;
      /** The text that is in no function. */
      readonly outside: string;
    }
  | { readonly ok: false; readonly problem: string };

export async function findMutants(grammars: Grammars, target: MutationTarget): Promise<FoundMutants> {
  const row = grammars.rowOf(target.path);
  const words = row === undefined ? undefined : languageWords[row.language];
  if (row === undefined || words === undefined)
    return { ok: false, problem: `No mutants can be made of ${target.path}: its language is not supported.` };
  const parsed = await grammars.parse(row, target.text);
  if (!parsed.ok) return { ok: false, problem: parsed.detail };
  if (parsed.root.hasError) return { ok: false, problem: `${target.path} has syntax errors.` };
  const lineOf = indexLines(target.text);
  const isWanted = ({ start }: Change) => {
    const line = lineOf(start);
    return target.lines === undefined || (line >= target.lines.from && line <= target.lines.to);
  };
  const functions = outermostFunctions(parsed.root);
  const changes = [...changesIn(parsed.root, target.text, words)].filter(isWanted);
  const mutants: (Mutant & { readonly start: number })[] = [];
  for (const change of spread(changes)) {
    if (mutants.length >= target.mutantsMax) break;
    const text = target.text.slice(0, change.start) + change.replacement + target.text.slice(change.end);
    const again = await grammars.parse(row, text);
    // What is no longer a program says nothing about tests.
    if (!again.ok || again.root.hasError || text === target.text) continue;
    const before = target.text.slice(change.start, change.end);
    const { operator, start, replacement: after } = change;
    const identity = identityOf(change, functionAround(functions, start), target.text);
    mutants.push({ operator, start, line: lineOf(start), text, before, after, identity });
  }
  mutants.sort((left, right) => left.start - right.start);
  const outside = functions.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), target.text);
  return {
    ok: true,
    mutants: mutants.map(({ start: _, ...mutant }) => mutant),
    candidates: changes.length,
    outside,
  };
}

type Change = {
  readonly operator: MutationOperator;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
};

const functionNode = /^(?:function|method|arrow_function|lambda|constructor|generator_function)/;

type Range = Pick<SyntaxNode, "start" | "end">;

/** In the order of the text. What is inside of one may use everything of it. */
function outermostFunctions(root: SyntaxNode): readonly Range[] {
  const found: Range[] = [];
  for (const node of walkTree(root, ({ start }) => start >= (found.at(-1)?.end ?? 0)))
    if (functionNode.test(node.type) && node.start >= (found.at(-1)?.end ?? 0)) found.push(node);
  return found;
}

function functionAround(functions: readonly Range[], place: number): Range | undefined {
  return functions.find(({ start, end }) => start <= place && place < end);
}

function identityOf({ start, end, replacement }: Change, around: Range | undefined, text: string): string {
  const from = around?.start ?? 0;
  const parts = [text.slice(from, around?.end), start - from, end - from, replacement];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function* changesIn(root: SyntaxNode, text: string, words: LanguageWords): Generator<Change> {
  const enters = (node: SyntaxNode) => !skippedNodes.has(node.type) && !isComment(node);
  for (const node of walkTree(root, enters)) {
    yield* swappedSigns(node, text);
    yield* negatedCondition(node, text, words);
    yield* changedConstant(node, text);
    yield* removedCall(node, words);
    yield* emptyReturn(node, text, words);
    yield* swappedArguments(node, text);
  }
}

function* swappedSigns(node: SyntaxNode, text: string): Generator<Change> {
  if (!operatorNodes.has(node.type)) return;
  for (const child of node.children) {
    if (child.isNamed && child.type !== "operator") continue;
    const swap = swaps[text.slice(child.start, child.end).replace(/\s+/g, " ")];
    if (swap === undefined) continue;
    const [operator, replacement] = swap;
    yield { operator, start: child.start, end: child.end, replacement };
  }
}

function* negatedCondition(node: SyntaxNode, text: string, words: LanguageWords): Generator<Change> {
  if (!conditionNodes.has(node.type)) return;
  const condition = node.children.find(({ field }) => field === "condition");
  // A pattern that binds a name cannot be turned round.
  if (condition === undefined || /^let_/.test(condition.type)) return;
  const whole = text.slice(condition.start, condition.end);
  const isWrapped = condition.type === "parenthesized_expression" || condition.type === "condition_clause";
  const inner = isWrapped ? whole.slice(1, -1) : whole;
  const negated = words.not.replace("%", () => inner);
  const replacement = isWrapped && words.hasParentheses ? `(${negated})` : negated;
  yield { operator: "negated-condition", start: condition.start, end: condition.end, replacement };
}

function* changedConstant({ type, start, end, field }: SyntaxNode, text: string): Generator<Change> {
  const whole = text.slice(start, end);
  const change = (replacement: string): Change => ({ operator: "constant-change", start, end, replacement });
  const opposite = opposites[whole];
  if (opposite !== undefined) yield change(opposite);
  else if (numberNodes.has(type)) {
    const digits = /^\d+(?:\.\d+)?$/.exec(whole);
    if (digits !== null) yield change(whole.includes(".") ? `${whole}1` : String(BigInt(whole) + 1n));
  } else if (stringNodes.has(type) && field !== "key" && field !== "source") {
    // The text of a docstring or of a message is not behaviour, but an empty or a filled one mostly is.
    const quoted = /^(["'])(.*)\1$/s.exec(whole);
    if (quoted !== null) yield change(quoted[2] === "" ? `${quoted[1]}mutant${quoted[1]}` : `${quoted[1]}${quoted[1]}`);
  }
}

/** A call whose result nobody uses is there for its effect. */
function* removedCall(node: SyntaxNode, { nothing }: LanguageWords): Generator<Change> {
  if (node.type !== "expression_statement") return;
  const [only, semicolon] = node.children;
  const called = only?.type === "await_expression" || only?.type === "await" ? only.children.at(-1) : only;
  if (called === undefined || !callNodes.has(called.type)) return;
  if (semicolon !== undefined && semicolon.type !== ";") return;
  yield { operator: "removed-call", start: node.start, end: node.end, replacement: nothing };
}

function* emptyReturn(node: SyntaxNode, text: string, { emptyValue }: LanguageWords): Generator<Change> {
  if (node.type !== "return_statement" || emptyValue === undefined) return;
  const value = node.children.find(({ isNamed }) => isNamed);
  if (value === undefined || text.slice(value.start, value.end) === emptyValue) return;
  yield { operator: "early-return", start: value.start, end: value.end, replacement: emptyValue };
}

function* swappedArguments(node: SyntaxNode, text: string): Generator<Change> {
  if (!argumentNodes.has(node.type)) return;
  const [first, second] = node.children.filter((child) => child.isNamed && !isComment(child));
  if (first === undefined || second === undefined) return;
  const one = text.slice(first.start, first.end);
  const other = text.slice(second.start, second.end);
  if (one === other || [first, second].some(({ type }) => /keyword|splat|spread|named/.test(type))) return;
  const between = text.slice(first.end, second.start);
  const replacement = `${other}${between}${one}`;
  yield { operator: "swapped-arguments", start: first.start, end: second.end, replacement };
}

/** One of each kind in turn, and within a kind from all over the text: a limit does not leave out the end of a file. */
function spread(changes: readonly Change[]): readonly Change[] {
  const kinds = Map.groupBy(changes, ({ operator }) => operator);
  const queues = [...kinds.values()].map(bitReversed);
  const spreadOut: Change[] = [];
  for (let round = 0; spreadOut.length < changes.length; round += 1) {
    for (const queue of queues) {
      const next = queue[round];
      if (next !== undefined) spreadOut.push(next);
    }
  }
  return spreadOut;
}

/** First, middle, quarters, eighths: every beginning of the list is spread over all of it. */
function bitReversed<Item>(items: readonly Item[]): readonly Item[] {
  const bits = Math.max(1, Math.ceil(Math.log2(items.length)));
  return items
    .map((item, index) => ({ item, place: reversed(index, bits) }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}

function reversed(index: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit += 1) if ((index >> bit) & 1) result |= 1 << (bits - 1 - bit);
  return result;
}
