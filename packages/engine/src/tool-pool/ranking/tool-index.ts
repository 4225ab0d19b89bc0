/** An index of tools by the words of their names, servers, hints, descriptions and input schemas. */
import type { JsonSchema, Tool } from "@kedge/protocol";
import { compoundTerms } from "./compound-words.ts";
import { actionOf, isFaint } from "./plain-words.ts";
import { pairOf, splitCases, termsOf } from "./tool-terms.ts";

export type IndexedTool = Pick<Tool, "name" | "description" | "inputSchema" | "searchHint">;

export type ToolIndex = {
  readonly tools: readonly IndexedTool[];
  /** By term: how strongly each tool, by its number, has it. */
  readonly postings: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Every term but pairs. */
  readonly vocabulary: readonly string[];
  readonly notes: readonly ToolNotes[];
  /** The terms of all names of tools and servers. */
  readonly nameTerms: ReadonlySet<string>;
};

export type ToolNotes = {
  readonly server: string;
  /** The terms of its own name beside those of its server, faint ones with less weight. */
  readonly named: readonly { readonly term: string; readonly weight: number }[];
  /** What its name says that it does. */
  readonly action: string | undefined;
};

/** How much a word counts by where it stands, and by how much more words make each count less there. */
const fields = {
  name: { weight: 2, byLength: 0.8, hasPairs: true },
  server: { weight: 1.5, byLength: 0, hasPairs: false },
  compound: { weight: 1, byLength: 0, hasPairs: false },
  hint: { weight: 1.5, byLength: 0.2, hasPairs: true },
  summary: { weight: 1.5, byLength: 0.2, hasPairs: true },
  description: { weight: 0.6, byLength: 0.2, hasPairs: true },
  argument: { weight: 0.3, byLength: 0.3, hasPairs: false },
  schema: { weight: 0.6, byLength: 0.3, hasPairs: false },
} as const;

type Field = keyof typeof fields;

type Words = { readonly [field in Field]: readonly string[] };
type ToldWords = Omit<Words, "compound">;

const descriptionCharactersMax = 800;
const schemaCharactersMax = 1_500;
const schemaDepthMax = 5;
const countMax = 3;
const faintNameWeight = 0.5;

export function createToolIndex(tools: readonly IndexedTool[]): ToolIndex {
  const stems = new Map<string, string>();
  const told = tools.map((tool) => wordsOf(tool, stems));
  const known = new Set(told.flatMap(({ hint, summary, description }) => [...hint, ...summary, ...description]));
  const words = told.map((each, number) => ({
    ...each,
    compound: compoundTerms(splitCases(tools[number]?.name ?? ""), (stem) => known.has(stem)),
  }));
  const postings = new Map<string, Map<number, number>>();
  for (const field of Object.keys(fields) as Field[]) {
    const { weight, byLength, hasPairs } = fields[field];
    const meanLength = words.reduce((sum, each) => sum + each[field].length, 0) / tools.length || 1;
    for (const [number, each] of words.entries()) {
      const terms = each[field];
      const perCount = weight / (1 - byLength + (byLength * terms.length) / meanLength);
      for (const [term, count] of countsOf(terms, hasPairs)) {
        const having = postings.get(term) ?? new Map<number, number>();
        having.set(number, (having.get(number) ?? 0) + perCount * Math.min(count, countMax));
        postings.set(term, having);
      }
    }
  }
  return {
    tools,
    postings,
    vocabulary: [...postings.keys()].filter((term) => !term.includes(" ")),
    notes: words.map((each, number) => notesOf(tools[number]?.name ?? "", each)),
    nameTerms: new Set(words.flatMap(({ name, server }) => [...name, ...server])),
  };
}

/** The server of a tool that comes from one, and the name it has there. */
export function splitToolName(name: string): { readonly server: string; readonly own: string } {
  const [, server = "", own = name] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  return { server, own };
}

function wordsOf(
  { name, description, inputSchema, searchHint = "" }: IndexedTool,
  stems: Map<string, string>,
): ToldWords {
  const { server, own } = splitToolName(name);
  const told = description.trim();
  const [summary = ""] = told.split(/(?<=[.!?])\s|\n|。/, 1);
  const schema = { names: "", text: "" };
  collectSchema(inputSchema, schema, 0);
  return {
    name: termsOf(own, stems),
    server: termsOf(server, stems),
    hint: termsOf(searchHint, stems),
    summary: termsOf(summary.slice(0, descriptionCharactersMax), stems),
    description: termsOf(told.slice(summary.length, descriptionCharactersMax), stems),
    argument: termsOf(schema.names, stems),
    schema: termsOf(schema.text.slice(0, schemaCharactersMax), stems),
  };
}

/** Schemas of servers are checked by nobody before this, so every part may be anything. */
function collectSchema(schema: JsonSchema | undefined, into: { names: string; text: string }, depth: number): void {
  if (typeof schema !== "object" || schema === null || depth > schemaDepthMax) return;
  if (into.text.length + into.names.length > 2 * schemaCharactersMax) return;
  const { description, properties, items, anyOf } = schema;
  if (depth > 0 && typeof description === "string") into.text += ` ${description}`;
  if (Array.isArray(schema.enum)) into.text += ` ${schema.enum.filter((value) => typeof value === "string").join(" ")}`;
  if (typeof schema.const === "string") into.text += ` ${schema.const}`;
  for (const [name, property] of Object.entries(properties ?? {})) {
    into.names += ` ${name}`;
    collectSchema(property, into, depth + 1);
  }
  collectSchema(items, into, depth + 1);
  for (const choice of Array.isArray(anyOf) ? anyOf : []) collectSchema(choice, into, depth + 1);
}

function countsOf(terms: readonly string[], hasPairs: boolean): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (term: string) => counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const [at, term] of terms.entries()) {
    count(term);
    const before = terms[at - 1];
    if (hasPairs && before !== undefined) count(pairOf(before, term));
  }
  return counts;
}

function notesOf(name: string, { name: terms, server }: ToldWords): ToolNotes {
  const own = terms.filter((term) => !server.includes(term));
  return {
    server: splitToolName(name).server,
    named: (own.length > 0 ? own : terms).map((term) => ({ term, weight: isFaint(term) ? faintNameWeight : 1 })),
    action: terms.map(actionOf).find((action) => action !== undefined),
  };
}
