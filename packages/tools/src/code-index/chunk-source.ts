/** Cuts a source file at the borders of its syntax tree: large parts are divided, small neighbours joined. */
import { endOfCode, indexLines, isComment, type SyntaxNode } from "../syntax/syntax-tree.ts";
import { type Chunk, labelOf, windowsOf } from "./chunk-lines.ts";
import { leadingNodes, wrapperNodes } from "./definition-nodes.ts";
import { definedName, findDefinitions, isContainer, isFunction } from "./find-definitions.ts";

/** A larger part is divided where its own parts begin. */
const partLinesMax = 80;
/** Members of a larger type are worth a place of their own. */
const containerLinesMax = 30;
/** Neighbours are joined up to this; a definition of at least so many lines stands alone. */
const joinedLinesMax = 40;
const standaloneLinesMin = 5;
/** A comment belongs to the code below unless more than one blank line is between them. */
const leadGapMax = 2;
/** A long chain of operators is a tree as deep as the chain is long. */
const depthMax = 60;

type Piece = {
  readonly first: number;
  readonly last: number;
  /** The opening of something that is divided and a lead belong to what follows, a tail to what was before. */
  readonly kind: "definition" | "opening" | "lead" | "tail" | "other";
  /** What is defined in it directly, with its scope. */
  readonly symbols: readonly string[];
  readonly names: readonly string[];
  /** The definitions around it, joined by dots. */
  readonly scope: string;
};

type Surroundings = {
  readonly scope: string;
  readonly inFunction: boolean;
  /** Directly, as its body or head. */
  readonly inContainer: boolean;
  readonly depth: number;
};

export function chunkSource(root: SyntaxNode, text: string, lines: readonly string[]): readonly Chunk[] {
  const lineOf = indexLines(text);

  function rangeOf(node: SyntaxNode): { first: number; last: number } {
    const first = lineOf(node.start);
    return { first, last: Math.max(first, lineOf(Math.max(endOfCode(node, text) - 1, node.start))) };
  }

  function cut(node: SyntaxNode, around: Surroundings): readonly Piece[] {
    const range = rangeOf(node);
    const isDivisible = mayHoldContainer(node) || (around.inContainer && node.field === "body");
    const linesMax = isDivisible ? containerLinesMax : partLinesMax;
    if (around.depth > 0 && range.last - range.first < linesMax) return [wholePiece(node, range, around)];
    if (node.children.length === 0 || around.depth > depthMax)
      return windowsOf(range.first, range.last).map((window) => plainPiece(window, around.scope));
    const name = definedName(node, text, around);
    const below: Surroundings = {
      scope: [around.scope, name ?? ""].filter((part) => part !== "").join("."),
      inFunction: around.inFunction || isFunction(node),
      inContainer: isContainer(node),
      depth: around.depth + 1,
    };
    const [head, ...rest] = node.children.flatMap((child) => cut(child, below));
    if (head === undefined || name === undefined) return head === undefined ? [] : [head, ...rest];
    return [
      {
        ...head,
        kind: "opening",
        symbols: [below.scope, ...head.symbols],
        names: [name, ...head.names],
        scope: around.scope,
      },
      ...rest,
    ];
  }

  function wholePiece(node: SyntaxNode, range: { first: number; last: number }, around: Surroundings): Piece {
    const { scope } = around;
    if (!node.isNamed && /^[)\]}]/.test(node.type)) return { ...plainPiece(range, scope), kind: "tail" };
    if (isComment(node) || leadingNodes.has(node.type)) return { ...plainPiece(range, scope), kind: "lead" };
    const { outer, inner } = findDefinitions(node, text, around);
    const kind = outer.length > 0 ? "definition" : "other";
    const symbols = outer.map((name) => (scope === "" ? name : `${scope}.${name}`));
    return { ...range, kind, symbols, names: [...outer, ...inner], scope };
  }

  const pieces = cut(root, { scope: "", inFunction: false, inContainer: false, depth: 0 });
  return asChunks(joinLoose(joinLeads(separate(pieces))), lines);
}

function plainPiece({ first, last }: { readonly first: number; readonly last: number }, scope: string): Piece {
  return { first, last, kind: "other", symbols: [], names: [], scope };
}

function mayHoldContainer(node: SyntaxNode): boolean {
  return isContainer(node) || (wrapperNodes.has(node.type) && node.children.some(mayHoldContainer));
}

/** No line belongs to two pieces; what begins on a line that is taken goes with it. */
function separate(pieces: readonly Piece[]): readonly Piece[] {
  const separated: Piece[] = [];
  for (const piece of pieces) {
    const before = separated.at(-1);
    if (before === undefined || piece.first > before.last) separated.push(piece);
    else if (piece.last <= before.last || piece.kind === "tail")
      separated.splice(-1, 1, { ...together(before, piece), kind: piece.kind === "opening" ? "opening" : before.kind });
    else separated.push({ ...piece, first: before.last + 1 });
  }
  return separated;
}

function joinLeads(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const leads = before?.kind === "opening" || before?.kind === "lead";
    const follows = leads && piece.first - before.last <= leadGapMax;
    const fits = before !== undefined && piece.last - before.first < partLinesMax + joinedLinesMax;
    if (before !== undefined && (piece.kind === "tail" || (follows && fits)))
      joined.splice(-1, 1, { ...together(before, piece), kind: piece.kind === "tail" ? before.kind : piece.kind });
    else joined.push(piece);
  }
  return joined;
}

function joinLoose(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const linesMax = Math.min(linesOf(before), linesOf(piece)) < standaloneLinesMin ? partLinesMax : joinedLinesMax;
    if (before !== undefined && isLoose(before) && isLoose(piece) && piece.last - before.first < linesMax)
      joined.splice(-1, 1, { ...together(before, piece), kind: "other" });
    else joined.push(piece);
  }
  return joined;
}

function isLoose(piece: Piece): boolean {
  return piece.kind !== "definition" || linesOf(piece) < standaloneLinesMin;
}

function linesOf(piece: Piece | undefined): number {
  return piece === undefined ? 0 : piece.last - piece.first + 1;
}

function together(before: Piece, after: Piece): Piece {
  return {
    ...before,
    last: Math.max(before.last, after.last),
    symbols: [...before.symbols, ...after.symbols],
    names: [...before.names, ...after.names],
  };
}

/** Lines that no node covers go to the piece below them, so that nothing is lost; blank ends are left out. */
function asChunks(pieces: readonly Piece[], lines: readonly string[]): readonly Chunk[] {
  const isBlank = (line: number) => (lines[line - 1] ?? "").trim() === "";
  const chunks: Chunk[] = [];
  let covered = 0;
  for (const [index, { last: end, symbols, names, scope }] of pieces.entries()) {
    let first = covered + 1;
    covered = index === pieces.length - 1 ? lines.length : end;
    let last = covered;
    while (first <= last && isBlank(first)) first += 1;
    while (last >= first && isBlank(last)) last -= 1;
    if (first > last) continue;
    const symbol = symbols.length > 0 ? labelOf(symbols) : scope;
    chunks.push({ first, last, symbol, scope, names: [...new Set(names)] });
  }
  return chunks;
}
