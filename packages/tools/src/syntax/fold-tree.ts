/** Finds the parts of a source file that can be folded away: lists of members, code, and long texts, each in the next. */
import { endOfCode, indexLines, isComment, type SyntaxNode } from "./syntax-tree.ts";

/** Counted from 1, both included. */
export type FoldedLines = { readonly first: number; readonly last: number };

export type Fold = FoldedLines & {
  /** Members say what there is, code how it is done; a text has nothing to unfold. */
  readonly kind: "members" | "code" | "text";
  readonly folds: readonly Fold[];
};

type GrowingFold = Fold & { readonly folds: GrowingFold[] };

const memberLists: ReadonlySet<string> = new Set([
  "annotation_type_body",
  "class_body",
  "declaration_list",
  "enum_body",
  "enum_variant_list",
  "enumerator_list",
  "field_declaration_list",
  "interface_body",
  "interface_type",
  "object_type",
]);

/** Owners of what looks like a run of statements and is a list of members. */
const memberOwners: ReadonlySet<string> = new Set(["class_definition", "internal_module", "module"]);

const codeBodies: ReadonlySet<string> = new Set([
  "array",
  "array_expression",
  "array_initializer",
  "block",
  "compound_statement",
  "constructor_body",
  "dictionary",
  "element_value_array_initializer",
  "initializer_list",
  "jsx_element",
  "jsx_fragment",
  "list",
  "literal_value",
  "object",
  "set",
  "statement_block",
  "token_tree",
  "tuple",
]);

const texts: ReadonlySet<string> = new Set(["raw_string_literal", "string", "string_literal", "template_string"]);

/** Folding less would save nothing: the row that says so takes a line itself. */
const foldedLinesMin = 3;
const closersOnly = /^[\s)\]};,]*$/;

/** The outermost folds, in order; folds of one list are apart from each other. */
export function findFolds(root: SyntaxNode, text: string): readonly Fold[] {
  const lineOf = indexLines(text);
  const outermost: GrowingFold[] = [];
  const waiting: Waiting[] = [{ node: root, owner: undefined, siblings: outermost }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, owner, siblings } = next;
    const first = lineOf(node.start);
    const last = lineOf(endOfCode(node, text) - 1);
    if (last - first < foldedLinesMin - 1) continue;
    const kind = kindOf(node, owner);
    const inside = kind === undefined ? undefined : insideOf(node, { first, last }, text);
    let folds = siblings;
    if (kind !== undefined && inside !== undefined && inside.last - inside.first + 1 >= foldedLinesMin) {
      folds = [];
      siblings.push({ ...inside, kind, folds });
    }
    for (const child of node.children.toReversed()) waiting.push({ node: child, owner: node, siblings: folds });
  }
  return outermost;
}

type Waiting = {
  readonly node: SyntaxNode;
  readonly owner: SyntaxNode | undefined;
  readonly siblings: GrowingFold[];
};

function kindOf(node: SyntaxNode, owner: SyntaxNode | undefined): Fold["kind"] | undefined {
  if (isComment(node) || texts.has(node.type)) return "text";
  if (memberLists.has(node.type)) return "members";
  if (!codeBodies.has(node.type)) return undefined;
  return node.field === "body" && owner !== undefined && memberOwners.has(owner.type) ? "members" : "code";
}

/**
 * What can go without taking anything else away: with a body the line that closes it and the blank ones below, and a
 * comment as a whole.
 */
function insideOf(node: SyntaxNode, { first, last }: FoldedLines, text: string): FoldedLines {
  const end = endOfCode(node, text);
  const lineStart = text.lastIndexOf("\n", node.start - 1) + 1;
  const lastLineStart = text.lastIndexOf("\n", end - 1) + 1;
  const lastLineEnd = text.indexOf("\n", end);
  const rest = text.slice(end, lastLineEnd === -1 ? text.length : lastLineEnd);
  const isWhole = isComment(node) || (node.type === "block" && text[node.start] !== "{");
  const beginsAlone = isWhole && text.slice(lineStart, node.start).trim() === "";
  const endsAlone = isWhole ? rest.trim() === "" : closersOnly.test(text.slice(lastLineStart, end) + rest);
  return { first: beginsAlone ? first : first + 1, last: endsAlone ? last + blankLinesAfter(text, end) : last - 1 };
}

function blankLinesAfter(text: string, position: number): number {
  let count = 0;
  for (let end = text.indexOf("\n", position); end !== -1 && end + 1 < text.length; count += 1) {
    const next = text.indexOf("\n", end + 1);
    if (text.slice(end + 1, next === -1 ? text.length : next).trim() !== "") break;
    end = next;
  }
  return count;
}
