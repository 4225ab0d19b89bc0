/** Finds the places of a syntax tree that a pattern describes, and what its placeholders stand for there. */
import { type Pattern, type PatternNode, significantChildren } from "./pattern.ts";
import { endOfCode, type SyntaxNode, walkTree } from "./syntax-tree.ts";

/** The run of nodes a placeholder stands for; empty runs lie between two nodes. */
export type Bound = { readonly text: string; readonly nodes: readonly SyntaxNode[] };

export type Bindings = ReadonlyMap<string, Bound>;

export type Match = { readonly node: SyntaxNode; readonly bindings: Bindings };

/** Patterns with several runs can be tried in very many ways; a place that needs more counts as no match. */
const stepsMax = 100_000;

/** All matches in the order of the text; those inside of others too. */
export function findMatches({ roots }: Pattern, tree: SyntaxNode, text: string): readonly Match[] {
  const matches: Match[] = [];
  for (const node of walkTree(tree)) {
    for (const root of roots) {
      if (!isSameType(root, node)) continue;
      const bindings = createMatcher(text).match(root, node);
      if (bindings === undefined) continue;
      matches.push({ node, bindings });
      break;
    }
  }
  return matches;
}

/** Tells without parsing; false is certain. */
export function mayMatch({ words }: Pattern, text: string): boolean {
  return words.every((word) => text.includes(word));
}

type Continue = (bindings: Bindings) => Bindings | undefined;

/** Each function tries its part and hands on to what comes after it, so that a later mismatch can take back a choice. */
function createMatcher(text: string) {
  let steps = 0;

  function matchNode(pattern: PatternNode, node: SyntaxNode, bindings: Bindings, next: Continue): Bindings | undefined {
    steps += 1;
    if (steps > stepsMax) return undefined;
    switch (pattern.kind) {
      case "placeholder": {
        if (!node.isNamed) return undefined;
        const bound = bind(pattern.placeholder.name, [node], bindings);
        return bound && next(bound);
      }
      case "leaf":
        if (node.children.length > 0 || !isSameType(pattern, node)) return undefined;
        return isSameCode(pattern.text, text.slice(node.start, node.end)) ? next(bindings) : undefined;
      case "branch":
        if (!isSameType(pattern, node) || node.hasError) return undefined;
        return matchList(pattern.children, significantChildren(node), bindings, next);
    }
  }

  function matchList(
    patterns: readonly PatternNode[],
    nodes: readonly SyntaxNode[],
    bindings: Bindings,
    next: Continue,
  ): Bindings | undefined {
    const [pattern, ...others] = patterns;
    if (pattern === undefined) return nodes.length === 0 ? next(bindings) : undefined;
    if (isRun(pattern)) {
      // Where no other run follows, only one length can fit.
      const longest = nodes.length - others.filter((other) => !isRun(other)).length;
      for (let length = others.some(isRun) ? 0 : longest; length <= longest && steps <= stepsMax; length += 1) {
        if (length < 0) return undefined;
        const bound = bind(pattern.placeholder.name, nodes.slice(0, length), bindings);
        const matched = bound && matchList(others, nodes.slice(length), bound, next);
        if (matched !== undefined) return matched;
      }
      return undefined;
    }
    const [node] = nodes;
    if (node === undefined || node.field !== pattern.field) return undefined;
    return matchNode(pattern, node, bindings, (bound) => matchList(others, nodes.slice(1), bound, next));
  }

  function bind(name: string | undefined, nodes: readonly SyntaxNode[], bindings: Bindings): Bindings | undefined {
    steps += 1;
    if (name === undefined) return bindings;
    const [first] = nodes;
    const last = nodes.at(-1);
    const found = first && last ? text.slice(first.start, endOfCode(last, text)) : "";
    const earlier = bindings.get(name);
    if (earlier !== undefined) return isSameCode(earlier.text, found) ? bindings : undefined;
    return new Map(bindings).set(name, { text: found, nodes });
  }

  return {
    match: (pattern: PatternNode, node: SyntaxNode) => matchNode(pattern, node, new Map(), (bindings) => bindings),
  };
}

type Run = Extract<PatternNode, { readonly kind: "placeholder" }>;

function isRun(pattern: PatternNode): pattern is Run {
  return pattern.kind === "placeholder" && pattern.placeholder.isMany;
}

function isSameType(pattern: PatternNode, node: SyntaxNode): boolean {
  return pattern.kind === "placeholder" || pattern.type === node.type || roleOf(pattern.type) === roleOf(node.type);
}

/** The same code is called differently by its place: a word may be a variable, a type or a member. */
function roleOf(type: string): string {
  if (type.endsWith("identifier")) return "name";
  return type === "template_type" || type === "template_function" ? "template" : type;
}

function isSameCode(left: string, right: string): boolean {
  return left === right || (left.includes("\n") && left.replaceAll("\r\n", "\n") === right.replaceAll("\r\n", "\n"));
}
