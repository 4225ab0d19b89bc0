/** Replaces what patterns match in one text: the outermost places, each by its own rendering of a template. */
import { lineEndingOf, withLineEnding } from "../file-content.ts";
import { type Bound, findMatches, type Match } from "./match.ts";
import type { Pattern } from "./pattern.ts";
import { readTemplate, type Template } from "./placeholders.ts";
import { endOfCode, indexLines, isComment, type SyntaxNode, walkTree } from "./syntax-tree.ts";

export type Operation = { readonly pattern: Pattern; readonly out: Template };

export type Replacement = { readonly line: number; readonly before: string; readonly after: string };

export type Rewritten = {
  readonly after: string;
  readonly replacements: readonly Replacement[];
  /** Matches inside of others that were replaced, which a second call would find. */
  readonly nested: number;
};

export function newOperation(pattern: Pattern, out: string): Operation | { readonly problem: string } {
  const template = readTemplate(out);
  const unbound = template.placeholders.find(({ name }) => name === undefined || !pattern.names.has(name));
  if (unbound === undefined) return { pattern, out: template };
  return { problem: `${unbound.source} stands in out but is not bound by pat.` };
}

/** Where operations meet, the outer place wins, and of the same place the earlier operation. */
export function rewrite(tree: SyntaxNode, text: string, operations: readonly Operation[]): Rewritten {
  const found = operations.flatMap(({ pattern, out }, order) =>
    findMatches(pattern, tree, text).map((match) => ({ match, out, order })),
  );
  found.sort(
    (left, right) =>
      left.match.node.start - right.match.node.start ||
      right.match.node.end - left.match.node.end ||
      left.order - right.order,
  );
  const lineOf = indexLines(text);
  const replacements: Replacement[] = [];
  let after = "";
  let done = 0;
  let nested = 0;
  for (const { match, out } of found) {
    if (match.node.start < done) {
      nested += 1;
      continue;
    }
    const replacement = renderTemplate(out, match, text);
    const isGone = replacement === "";
    const { start, end } = isGone
      ? wholeLines(match.node, text)
      : { start: match.node.start, end: endOfCode(match.node, text) };
    after += text.slice(done, Math.max(start, done)) + replacement;
    done = end;
    const before = text.slice(match.node.start, endOfCode(match.node, text));
    replacements.push({ line: lineOf(match.node.start), before, after: replacement });
  }
  return { after: after + text.slice(done), replacements, nested };
}

/** What is deleted from lines of its own takes these lines with it, and the sign that ended it. */
function wholeLines(node: SyntaxNode, text: string): { readonly start: number; readonly end: number } {
  const nodeEnd = endOfCode(node, text);
  const start = text.lastIndexOf("\n", node.start - 1) + 1;
  const newline = text.indexOf("\n", nodeEnd);
  const end = newline === -1 ? text.length : newline + 1;
  const standsAlone = text.slice(start, node.start).trim() === "" && /^\s*[;,]?\s*$/.test(text.slice(nodeEnd, end));
  return standsAlone ? { start, end } : { start: node.start, end: nodeEnd };
}

/** Lines below the first keep the indentation of the place, and what was bound is moved to where it now stands. */
function renderTemplate({ texts, placeholders }: Template, match: Match, text: string): string {
  const indentation = indentationAt(text, match.node.start);
  let written = indent(texts[0] ?? "", indentation);
  placeholders.forEach(({ name }, index) => {
    const bound = name === undefined ? undefined : match.bindings.get(name);
    if (bound !== undefined) {
      const line = written.slice(written.lastIndexOf("\n") + 1);
      const target = written.includes("\n") ? (/^[ \t]*/.exec(line)?.[0] ?? "") : indentation;
      written += moveLines(bound, text, target);
    }
    written += indent(texts[index + 1] ?? "", indentation);
  });
  const ending = lineEndingOf(text);
  return ending === undefined ? written : withLineEnding(written, ending);
}

function indentationAt(text: string, position: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", position - 1) + 1, position))?.[0] ?? "";
}

function indent(template: string, indentation: string): string {
  return template.replaceAll(/\n(?=[^\n])/g, `\n${indentation}`);
}

/** Moves the lines below the first, but never those that begin inside of a text or a comment. */
function moveLines(bound: Bound, text: string, target: string): string {
  const [first] = bound.nodes;
  if (first === undefined || !bound.text.includes("\n")) return bound.text;
  const source = indentationAt(text, first.start);
  if (source === target) return bound.text;
  const fixed = bound.nodes.flatMap((node) => [...walkTree(node)].filter(isVerbatim));
  let position = first.start;
  return bound.text
    .split("\n")
    .map((line, index) => {
      const start = position;
      position += line.length + 1;
      const stays =
        index === 0 || !line.startsWith(source) || fixed.some((node) => node.start < start && start < node.end);
      return stays ? line : target + line.slice(source.length);
    })
    .join("\n");
}

function isVerbatim(node: SyntaxNode): boolean {
  return isComment(node) || node.type.includes("string") || node.type === "jsx_text";
}
