/**
 * The bundler plugin that puts texts where the web app uses them.
 *
 * The sources have them in tables under `src/texts`, which a writer reads. A bundler keeps an object whole, and of a
 * module each text as a variable, so the tables would bring 4 KB of the 100 KB that a first visit may load: names, and
 * texts of screens of the terminal that the page does not have. A text at its place costs nothing more.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Plugin, parseAst } from "vite";

const tableFile = /\/packages\/(?:tui|web)\/src\/texts\/(?:[\w-]+\/)?[\w-]+\.ts$/;

export const inlineTexts: Plugin = {
  name: "inline-texts",
  enforce: "pre",
  transform(code, id) {
    if (tableFile.test(id)) return withSingleTexts(code);
    const readTable = (path: string) => {
      const file = resolve(dirname(id), path);
      return tableFile.test(file) ? readFileSync(file, "utf8") : undefined;
    };
    return code.includes("/texts/") ? withTexts(code, readTable) : undefined;
  },
};

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [field: string]: unknown };

/** `single` is its export beside the table that has it; a module exports its own texts singly. */
type Entry = { readonly source: string; readonly isFixed: boolean; readonly single?: string };

type Edit = { readonly start: number; readonly end: number; readonly to: string };

/** Beside the tables, each of their texts has an export of its own. */
export function withSingleTexts(code: string): string {
  const singles = [...entriesOf(code).values()].flatMap(({ single, source }) =>
    single === undefined ? [] : [`export const ${single} = ${source};\n`],
  );
  return singles.length === 0 ? code : `${code}\n${singles.join("")}`;
}

/** A fixed text stands where it is used; one with slots is imported alone. */
export function withTexts(code: string, readTable: (path: string) => string | undefined): string {
  const edits: Edit[] = [];
  const statements = parse(code)["body"] as readonly Node[];
  for (const statement of statements) {
    if (statement.type !== "ImportDeclaration") continue;
    const path = String((statement["source"] as Node)["value"]);
    const table = path.includes("/texts/") ? readTable(path) : undefined;
    if (table === undefined) continue;
    const entries = entriesOf(table);
    const module = moduleName(statement);
    const singles = new Set<string>();
    for (const { node, object, key } of usesIn(statements)) {
      const entry = entries.get(object === module ? key : `${object}.${key}`);
      if (entry === undefined) continue;
      if (!entry.isFixed && entry.single !== undefined) singles.add(entry.single);
      const to = entry.isFixed ? `(${entry.source})` : entry.single;
      if (to !== undefined) edits.push({ start: node.start, end: node.end, to });
    }
    const { end } = statement;
    if (singles.size > 0)
      edits.push({ start: end, end, to: `\nimport { ${[...singles].join(", ")} } from "${path}";` });
  }
  return edits
    .toSorted((left, right) => right.start - left.start)
    .reduce((text, { start, end, to }) => text.slice(0, start) + to + text.slice(end), code);
}

/** What the whole module is called where it is imported. */
function moduleName(statement: Node): string | undefined {
  const specifiers = statement["specifiers"] as readonly Node[];
  const whole = specifiers.find(({ type }) => type === "ImportNamespaceSpecifier");
  return whole && nameOf(whole["local"]);
}

/** By the name of the text, with that of its table where it stands in one. */
function entriesOf(code: string): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  const entry = (value: Node) => ({ source: code.slice(value.start, value.end), isFixed: value.type === "Literal" });
  for (const statement of parse(code)["body"] as readonly Node[]) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    const declaration = statement["declaration"] as Node | null;
    for (const declarator of (declaration?.["declarations"] ?? []) as readonly Node[]) {
      const name = nameOf(declarator["id"]);
      const value = declarator["init"] as Node;
      const table = value.type === "TSAsExpression" ? (value["expression"] as Node) : value;
      if (table.type !== "ObjectExpression") entries.set(name, entry(table));
      for (const property of (table["properties"] ?? []) as readonly Node[]) {
        const key = nameOf(property["key"]);
        entries.set(`${name}.${key}`, { ...entry(property["value"] as Node), single: `${name}$${key}` });
      }
    }
  }
  return entries;
}

type Use = { readonly node: Node; readonly object: string; readonly key: string };

function usesIn(value: unknown): readonly Use[] {
  if (Array.isArray(value)) return value.flatMap(usesIn);
  if (!isNode(value)) return [];
  if (value.type === "MemberExpression" && value["computed"] === false) {
    const object = nameOf(value["object"]);
    if (object === "texts" || object.endsWith("Texts"))
      return [{ node: value, object, key: nameOf(value["property"]) }];
  }
  return Object.values(value).flatMap(usesIn);
}

function parse(code: string): Node {
  // The parser's own types know no tree to walk; every node has a type and a place.
  return parseAst(code, { lang: "tsx" }) as unknown as Node;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node["name"] ?? "") : "";
}
