/** Texts that people read, as the sources have them: strings, templates and JSX that are sentences or labels, by surface. */
import { parseSync } from "vite";
import { lineAt } from "./source-scan.ts";

/** `text` is what stands between the quotes, with its slots as written. */
export type SourceText = {
  readonly surface: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
};

/** The first that fits. A path is relative to the root of the repository. */
const surfaces: readonly (readonly [surface: string, path: RegExp])[] = [
  ["help", /^packages\/cli\/src\/texts\/(?:help\.|command-help|flag-help|arguments)/],
  ["onboarding", /welcome|^packages\/tui\/src\/texts\/onboarding/],
  ["permission questions", /^packages\/tui\/src\/texts\/permission-questions|^packages\/protocol\/src\/.*question/],
  ["dialogs", /^packages\/tui\/src\/texts\/(?:dialogs|reports)/],
  ["palette", /^packages\/tui\/src\/texts\/(?:palette|commands)/],
  ["terminal", /^packages\/tui\//],
  ["web", /^packages\/web\//],
  ["command line", /^packages\/cli\//],
  ["settings", /setting|configuration/],
  ["provider errors", /^packages\/models\//],
  ["tools", /^packages\/tools\//],
  ["extensions", /^packages\/extend\//],
  ["agents", /^packages\/agents\//],
  ["safety", /^packages\/(?:sandbox|memory)\//],
  ["server", /^packages\/(?:server|sdk)\//],
  ["engine", /^packages\/(?:engine|protocol|store)\//],
  ["host", /^packages\/host\//],
];

export const surfaceNames: readonly string[] = [...new Set(surfaces.map(([name]) => name))];

export function surfaceOf(file: string): string {
  return surfaces.find(([, path]) => path.test(file))?.[0] ?? "other";
}

/** The texts of one file; none of what only programs read. */
export function textsIn(file: string, source: string): readonly SourceText[] {
  const surface = surfaceOf(file);
  return literalsIn(file, source)
    .filter(isRead)
    .map(({ at, text }) => ({ surface, file, line: lineAt(source, at), text }));
}

/** `text` has its slots as written, `words` has a mark for each. */
export type Literal = {
  readonly at: number;
  readonly text: string;
  readonly words: string;
  /** What stands in a page or under a name such as `title` is read however short it is. */
  readonly isLabel: boolean;
  /** What a broken invariant is reported with, to the one who repairs it. */
  readonly isOfBug: boolean;
};

/** All strings, templates and pieces of a page, but not names of modules, types, keys, and what only programs compare. */
export function literalsIn(file: string, source: string): readonly Literal[] {
  if (file.endsWith(".json")) return summariesIn(source);
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Literal[] = [];
  // Plain nodes of ESTree.
  visit(program as unknown as Node, [], { source, found, isTable: isTable(file) });
  return found;
}

/** Files of texts alone, by surface and screen. */
export function isTable(file: string): boolean {
  return /^packages\/[\w-]+\/src\/texts\//.test(file);
}

export const slotMark = "\0";

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown };
type Place = {
  readonly source: string;
  readonly found: Literal[];
  /** A file that has nothing but texts. */
  readonly isTable: boolean;
};

const withoutTexts = /^(?:TS|Import|ExportAll)(?!Expression|AsExpression|SatisfiesExpression|NonNullExpression)/;
const labelNames =
  /^(?:title|label|hint|placeholder|summary|heading|detail|sentence|right|yes|no|emptyText|loadingText|alt|aria-(?:label|placeholder|roledescription))$/;
const programNames =
  /^(?:class|className|id|d|rel|href|role|viewBox|key|for|src|type|name|style|target|method|tone|scope|autocomplete|loading|data-.*|aria-(?!label|placeholder|roledescription).*)$/;

function visit(node: Node, parents: readonly Node[], place: Place): void {
  if (withoutTexts.test(node.type) || (node.type === "ExportNamedDeclaration" && node["source"] !== null)) return;
  const text = textOf(node, place.source);
  if (text !== undefined && !isOfPrograms(node, parents)) {
    place.found.push({ ...text, isLabel: place.isTable || isLabel(node, parents), isOfBug: isOfBug(parents) });
  }
  for (const child of childrenOf(node)) visit(child, [...parents, node], place);
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === "object" && value !== null && "type" in value);
}

function textOf(node: Node, source: string): Pick<Literal, "at" | "text" | "words"> | undefined {
  const at = node.start;
  if (node.type === "TemplateLiteral") {
    const [pieces, slots] = [node["quasis"], node["expressions"]] as readonly (readonly Node[])[];
    const plain = (pieces ?? []).map(({ value }) => (value as { readonly cooked: string }).cooked);
    const words = plain.join(slotMark);
    const text = plain.map((piece, index) => {
      const slot = slots?.[index];
      return slot === undefined ? piece : `${piece}\${${source.slice(slot.start, slot.end)}}`;
    });
    return { at, text: text.join(""), words };
  }
  const value = node["value"];
  if (typeof value !== "string" || (node.type !== "Literal" && node.type !== "JSXText")) return undefined;
  const text = node.type === "JSXText" ? value.replaceAll(/\s+/g, " ").trim() : value;
  return { at, text, words: text };
}

/** A name of a property or attribute, one side of a comparison, a pattern of a tag. */
function isOfPrograms(node: Node, parents: readonly Node[]): boolean {
  const parent = parents.at(-1);
  if (parent === undefined || node.type === "JSXText") return false;
  const isKey = parent.type === "Property" && parent["key"] === node;
  const isCompared = parent.type === "BinaryExpression" && parent["operator"] !== "+";
  const isCase = parent.type === "SwitchCase";
  return isKey || isCompared || isCase || programNames.test(nameAround(parents) ?? "");
}

function isLabel(node: Node, parents: readonly Node[]): boolean {
  return node.type === "JSXText" || labelNames.test(nameAround(parents) ?? "");
}

function isOfBug(parents: readonly Node[]): boolean {
  const parent = parents.at(-1);
  const callee = parent?.type === "NewExpression" ? (parent["callee"] as Node)["name"] : undefined;
  return typeof callee === "string" && /^(?:Type|Range)?Error$/.test(callee);
}

/** Of the property or attribute whose value this is, or one of two such values. */
function nameAround(parents: readonly Node[]): string | undefined {
  const holder = parents.findLast(
    ({ type }) => !/^(?:JSXExpressionContainer|ConditionalExpression|LogicalExpression)$/.test(type),
  );
  if (holder?.type !== "JSXAttribute" && holder?.type !== "Property") return undefined;
  const name = holder[holder.type === "Property" ? "key" : "name"] as Node;
  return typeof name["name"] === "string" ? name["name"] : undefined;
}

function summariesIn(source: string): readonly Literal[] {
  return [...source.matchAll(/"(?:group|summary|description|message|recovery)": "((?:[^"\\]|\\.)*)"/g)].map(
    (match) => ({
      at: match.index,
      text: match[1] ?? "",
      words: match[1] ?? "",
      isLabel: true,
      isOfBug: false,
    }),
  );
}

const ofPrograms =
  /=>|\bfunction\s*\(|\bconst \w+ =|\b(?:SELECT|INSERT INTO|CREATE (?:TABLE|INDEX)|UPDATE \w+ SET|DELETE FROM|ALTER TABLE|PRAGMA)\b|^\s*(?:FROM|WHERE|ORDER BY|VALUES)\b/;

/** Two words at least, one of them of three letters, or a label. */
function isRead({ text, words, isLabel }: Literal): boolean {
  if (isLabel) return /[A-Za-z]{2}/.test(words);
  return (
    text.length > 8 &&
    /[A-Za-z]{2,}[,:;]? (?:[A-Za-z]|\0)/.test(words) &&
    /[a-z]{3}/.test(words) &&
    !ofPrograms.test(words)
  );
}
