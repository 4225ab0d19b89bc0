/** The literals of a TypeScript source that a person may come to read, and what the texts of a table take as values. */
import { parseAst } from "vite";
import { lineAt } from "./source-scan.ts";

/** `source` is the literal as it is written, `file` and `line` its place. */
export type Literal = { readonly file: string; readonly line: number; readonly source: string };

export type ParameterType = "string" | "number";

/** What a text takes: one value, or several by name. */
export type TextParameters =
  | { readonly kind: "one"; readonly type: ParameterType }
  | { readonly kind: "named"; readonly types: ReadonlyMap<string, ParameterType> };

/** Of the tree, only what is looked at. */
type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [field: string]: unknown };

/** Types, names of modules, and what only a defect of the program shows. */
const unread = /^(?:Import|ExportAll|TS(?:Type|Interface|Literal|Union|Template))/;

/** Their values stand on a screen, however short they are. */
const shownProperties = new Set(
  "label title summary detail about hint right sentence yes no emptyText loadingText".split(" "),
);

/** Words with blanks between them, a word with a capital, and whatever a property shows. */
export function readableLiterals(file: string, source: string): readonly Literal[] {
  const found: Literal[] = [];
  walk(parse(source), [], (node, parents) => {
    if (unread.test(node.type) || isOfDefect(node)) return false;
    const text = textOf(node);
    if (text === undefined) return true;
    const parent = parents.at(-1);
    const isKey = parent?.type === "Property" && parent["key"] === node;
    const isShown = parent?.type === "Property" && !isKey && shownProperties.has(nameOf(parent["key"]));
    if (isKey || !(isReadable(text) || (isShown && /[A-Za-z]{2}/.test(text)))) return !isReadable(text);
    found.push({ file, line: lineAt(source, node.start), source: source.slice(node.start, node.end) });
    return false;
  });
  return found;
}

/** By the name of the table and that of the text in it, such as `promptTexts.image`. */
export function textParameters(source: string): ReadonlyMap<string, TextParameters> {
  const found = new Map<string, TextParameters>();
  walk(parse(source), [], (node, parents) => {
    if (node.type !== "ArrowFunctionExpression") return true;
    const property = parents.at(-1);
    const table = parents.find(({ type }) => type === "VariableDeclarator");
    const [parameter] = node["params"] as readonly Node[];
    if (property?.type !== "Property" || table === undefined || parameter === undefined) return false;
    found.set(`${nameOf(table["id"])}.${nameOf(property["key"])}`, parametersOf(parameter));
    return false;
  });
  return found;
}

function parse(source: string): Node {
  // The parser's own types know no tree to walk; every node has a type and a place.
  return parseAst(source, { lang: "ts" }) as unknown as Node;
}

/** `visit` answers whether to look inside as well. */
function walk(
  value: unknown,
  parents: readonly Node[],
  visit: (node: Node, parents: readonly Node[]) => boolean,
): void {
  if (Array.isArray(value)) for (const each of value) walk(each, parents, visit);
  else if (isNode(value)) {
    if (!visit(value, parents)) return;
    for (const inner of Object.values(value)) walk(inner, [...parents, value], visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Slots become a sign that is no letter. */
function textOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return undefined;
  const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join("\0");
}

function isReadable(text: string): boolean {
  const isInWords = /[A-Za-z]{2,}[^A-Za-z]* \S|\S +[A-Za-z(]{2,}/.test(text);
  return isInWords || /^[A-Z][a-z]+[.…]?$/.test(text);
}

function isOfDefect(node: Node): boolean {
  return node.type === "NewExpression" && nameOf(node["callee"]) === "Error";
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  return String(node["name"] ?? node["value"] ?? "");
}

function parametersOf(parameter: Node): TextParameters {
  const annotation = (parameter["typeAnnotation"] as Node | undefined)?.["typeAnnotation"];
  if (!isNode(annotation)) throw new Error("A text takes values without a type.");
  if (annotation.type !== "TSTypeLiteral") return { kind: "one", type: typeOf(annotation) };
  const members = annotation["members"] as readonly Node[];
  return {
    kind: "named",
    types: new Map(
      members.map((member) => [
        nameOf(member["key"]),
        typeOf((member["typeAnnotation"] as Node | undefined)?.["typeAnnotation"]),
      ]),
    ),
  };
}

function typeOf(annotation: unknown): ParameterType {
  if (isNode(annotation) && annotation.type === "TSStringKeyword") return "string";
  if (isNode(annotation) && annotation.type === "TSNumberKeyword") return "number";
  throw new Error("A text takes strings and numbers alone.");
}
