/**
 * The bundler plugin that puts the texts of the terminal's tables where the web app uses them.
 *
 * The web app has a part of the terminal's screens in it. An object is bundled whole, so each table would bring the texts
 * of screens that the page does not have: 2 KB of the 100 KB that a first visit may load.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Plugin, parseAst } from "vite";

const tableFile = /\/packages\/tui\/src\/texts\/[\w-]+\.ts$/;

export const inlineTables: Plugin = {
  name: "inline-tables",
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

type Entry = { readonly source: string; readonly isFixed: boolean };

/** Beside the tables, each of their texts has an export of its own. */
export function withSingleTexts(code: string): string {
  const singles = [...entriesOf(code)].map(([name, { source }]) => `export const ${name} = ${source};\n`);
  return `${code}\n${singles.join("")}`;
}

/** A fixed text stands where it is used; one with slots is imported alone. */
export function withTexts(code: string, readTable: (path: string) => string | undefined): string {
  const edits: { readonly at: Node; readonly to: string }[] = [];
  const statements = parse(code)["body"] as readonly Node[];
  for (const statement of statements) {
    if (statement.type !== "ImportDeclaration") continue;
    const path = String((statement["source"] as Node)["value"]);
    const table = path.includes("/texts/") ? readTable(path) : undefined;
    if (table === undefined) continue;
    const entries = entriesOf(table);
    const singles = new Set<string>();
    for (const use of usesIn(statements)) {
      const name = `${use.table}$${use.key}`;
      const entry = entries.get(name);
      if (entry === undefined) continue;
      if (!entry.isFixed) singles.add(name);
      edits.push({ at: use.node, to: entry.isFixed ? `(${entry.source})` : name });
    }
    if (singles.size > 0)
      edits.push({
        at: { type: "", start: statement.end, end: statement.end },
        to: `\nimport { ${[...singles].join(", ")} } from "${path}";`,
      });
  }
  return edits
    .toSorted((left, right) => right.at.start - left.at.start)
    .reduce((text, { at, to }) => text.slice(0, at.start) + to + text.slice(at.end), code);
}

/** By `table$key`. */
function entriesOf(code: string): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const statement of parse(code)["body"] as readonly Node[]) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    const declaration = statement["declaration"] as Node | null;
    for (const declarator of (declaration?.["declarations"] ?? []) as readonly Node[]) {
      const init = declarator["init"] as Node;
      const table = init.type === "TSAsExpression" ? (init["expression"] as Node) : init;
      for (const property of (table["properties"] ?? []) as readonly Node[]) {
        const value = property["value"] as Node;
        entries.set(`${nameOf(declarator["id"])}$${nameOf(property["key"])}`, {
          source: code.slice(value.start, value.end),
          isFixed: value.type === "Literal",
        });
      }
    }
  }
  return entries;
}

type Use = { readonly node: Node; readonly table: string; readonly key: string };

function usesIn(value: unknown): readonly Use[] {
  if (Array.isArray(value)) return value.flatMap(usesIn);
  if (!isNode(value)) return [];
  if (value.type === "MemberExpression" && value["computed"] === false) {
    const table = nameOf(value["object"]);
    if (table.endsWith("Texts")) return [{ node: value, table, key: nameOf(value["property"]) }];
  }
  return Object.values(value).flatMap(usesIn);
}

function parse(code: string): Node {
  // The parser's own types know no tree to walk; every node has a type and a place.
  return parseAst(code, { lang: "ts" }) as unknown as Node;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node["name"] ?? "") : "";
}
