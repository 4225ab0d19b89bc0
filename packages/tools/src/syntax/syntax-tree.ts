/** Syntax trees as plain values: taken once out of the parser's memory, which is freed before anybody looks at them. */
import type { Tree } from "web-tree-sitter";

export type SyntaxNode = {
  readonly type: string;
  /** False for the words and signs that the grammar spells out, such as `if` and `(`. */
  readonly isNamed: boolean;
  /** The part it plays in the node above, such as `body`. */
  readonly field: string | undefined;
  /** Positions in the text, counted in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** It or something inside of it is not as the grammar wants it. */
  readonly hasError: boolean;
  readonly children: readonly SyntaxNode[];
};

type GrowingNode = { -readonly [Name in keyof SyntaxNode]: SyntaxNode[Name] } & { readonly children: GrowingNode[] };

/** Without recursion: a long chain of operators is a tree as deep as the chain is long. */
export function takeTree(tree: Tree): SyntaxNode {
  const cursor = tree.walk();
  const { types, fields } = tree.language;
  const take = (): GrowingNode => {
    const type = types[cursor.nodeTypeId] ?? cursor.nodeType;
    return {
      type,
      isNamed: cursor.nodeIsNamed,
      field: fields[cursor.currentFieldId] ?? undefined,
      start: cursor.startIndex,
      end: cursor.endIndex,
      hasError: type === "ERROR" || cursor.nodeIsMissing,
      children: [],
    };
  };
  try {
    const root = take();
    const open = [root];
    for (let descends = true; ; ) {
      if (descends ? cursor.gotoFirstChild() : cursor.gotoNextSibling()) {
        if (!descends) closeLast(open);
        const node = take();
        open.at(-1)?.children.push(node);
        open.push(node);
        descends = true;
      } else if (descends) descends = false;
      else if (cursor.gotoParent()) closeLast(open);
      else break;
    }
    // A missing token that has no name is no node of its own.
    if (tree.rootNode.hasError) root.hasError = true;
    return root;
  } finally {
    cursor.delete();
  }
}

function closeLast(open: GrowingNode[]): void {
  const closed = open.pop();
  const above = open.at(-1);
  if (closed?.hasError && above !== undefined) above.hasError = true;
}

/** Every node below and including this one, outer before inner, in the order of the text; `enters` leaves out whole parts. */
export function* walkTree(root: SyntaxNode, enters: (node: SyntaxNode) => boolean = () => true): Generator<SyntaxNode> {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined && enters(child)) waiting.push(child);
    }
  }
}

export function isComment(node: SyntaxNode): boolean {
  return node.type.endsWith("comment");
}

/** Tells the line of a position, both counted from 1 and 0. */
export function indexLines(text: string): (position: number) => number {
  const starts = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return (position) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Where a node ends; some grammars count the line break after a comment, a directive or a run of statements to it. */
export function endOfCode(node: SyntaxNode, text: string): number {
  let end = node.end;
  while (end > node.start + 1 && /\s/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
