/** Turns a piece of code with placeholders into a pattern of syntax nodes, by parsing it as code of the language. */
import type { GrammarRow } from "./grammar-table.ts";
import type { Grammars } from "./grammars.ts";
import { type Placeholder, readTemplate, type Template } from "./placeholders.ts";
import { endOfCode, isComment, type SyntaxNode, walkTree } from "./syntax-tree.ts";

export type PatternNode =
  | { readonly kind: "placeholder"; readonly field: string | undefined; readonly placeholder: Placeholder }
  | { readonly kind: "leaf"; readonly type: string; readonly field: string | undefined; readonly text: string }
  | {
      readonly kind: "branch";
      readonly type: string;
      readonly field: string | undefined;
      readonly children: readonly PatternNode[];
    };

export type PatternRoot = Exclude<PatternNode, { readonly kind: "placeholder" }>;

export type Pattern = {
  /** What the code can be in this language; a place matches if it matches one of them. */
  readonly roots: readonly [PatternRoot, ...PatternRoot[]];
  /** A file without all of these cannot match. */
  readonly words: readonly string[];
  readonly names: ReadonlySet<string>;
};

export type CompiledPattern =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly problem: string };

/** One way of writing the pattern as plain code: the code, and where each placeholder went. */
type Rendering = {
  readonly code: string;
  readonly spans: readonly { readonly start: number; readonly end: number; readonly name: string }[];
};

const patternCharactersMax = 4_000;
const renderingsMax = 81;

export async function compilePattern(grammars: Grammars, row: GrammarRow, source: string): Promise<CompiledPattern> {
  const refuse = (problem: string): CompiledPattern => ({ ok: false, problem });
  const code = source.trim();
  if (code.length > patternCharactersMax)
    return refuse(`The pattern is longer than ${patternCharactersMax} characters.`);
  const template = readTemplate(code);
  let parsesAsMany = false;
  const readings: PatternNode[] = [];
  for (const rendering of renderings(template, row)) {
    for (const surrounding of [...row.surroundings, ...row.inner]) {
      const isOuter = row.surroundings.includes(surrounding);
      const [before = "", after = ""] = surrounding.split("%");
      const text = before + rendering.code + after;
      const parsed = await grammars.parse(row, text);
      if (!parsed.ok) return refuse(parsed.detail);
      if (parsed.root.hasError) continue;
      const node = findWhole(parsed.root, text, { start: before.length, code: rendering.code });
      if (node === undefined) parsesAsMany = true;
      else if (!isOuter || !row.improbable?.includes(node.type)) {
        readings.push(convert(node, { template, rendering, offset: before.length }));
        if (isOuter) return toPattern(readings, template);
      }
    }
    if (readings.length > 0) return toPattern(readings, template);
  }
  return refuse(
    parsesAsMany
      ? `In ${row.language} the pattern is more than one node; give one expression, statement or declaration.`
      : `The pattern is not a complete piece of ${row.language}; give one whole expression, statement or declaration.`,
  );
}

/** Every choice of how the placeholders that stand alone are written, the plainest first. */
function* renderings({ texts, placeholders }: Template, row: GrammarRow): Generator<Rendering> {
  const forms = placeholders.map(({ isMany }, index) => {
    const before = texts[index] ?? "";
    const after = texts[index + 1] ?? "";
    if (standsAlone(before, after, { isMany })) return row.standalone;
    return row.listed !== undefined && isListed(before, after) ? row.listed : ["@"];
  });
  const prefix = unusedName(texts.join(" "));
  const combinations = forms.reduce((count, { length }) => count * length, 1);
  const choices = Math.min(combinations, renderingsMax);
  for (let choice = 0; choice < choices; choice += 1) {
    let code = texts[0] ?? "";
    let rest = choice;
    const spans = placeholders.map((_, index) => {
      const own = forms[index] ?? ["@"];
      const form = own[rest % own.length] ?? "@";
      rest = Math.floor(rest / own.length);
      const start = code.length;
      const name = `${prefix}${index}_`;
      code += form.replace("@", name);
      const end = code.length;
      code += texts[index + 1] ?? "";
      return { start, end, name };
    });
    yield { code, spans };
  }
}

/** Where a statement or a member stands, also as the body of `if` or `for`; a run may have others on its own line. */
function standsAlone(before: string, after: string, { isMany }: { isMany: boolean }): boolean {
  if (after === "" && /(?:\)|\belse)\s*$/.test(before)) return true;
  if (!/(?:^|[{};\n])[ \t]*$/.test(before)) return false;
  return /^[ \t]*(?:$|[\n}])/.test(after) || (isMany && /^[ \t]+[\w$]/.test(after));
}

function isListed(before: string, after: string): boolean {
  return /[(,]\s*$/.test(before) && /^\s*[),]/.test(after);
}

function unusedName(code: string): string {
  let name = "kedge_";
  while (code.includes(name)) name += "k";
  return name;
}

/** The node that is all of the code and not only holds one; a semicolon at the end may be left to the node around. */
function findWhole(root: SyntaxNode, text: string, { start, code }: { start: number; code: string }) {
  const ends = [start + code.length, start + code.replace(/\s*;$/, "").length];
  for (const node of walkTree(root)) {
    if (node === root || node.start !== start || !ends.includes(endOfCode(node, text))) continue;
    let whole = node;
    for (let only = whole.children[0]; only?.isNamed && whole.children.length === 1; only = whole.children[0])
      whole = only;
    return whole;
  }
  return undefined;
}

type Conversion = { readonly template: Template; readonly rendering: Rendering; readonly offset: number };

function toPattern(readings: readonly PatternNode[], template: Template): CompiledPattern {
  const [first, ...others] = readings.filter((reading) => reading.kind !== "placeholder");
  if (first === undefined) {
    const written = template.placeholders[0]?.source ?? "It";
    return { ok: false, problem: `${written} alone would match everything; add code around it.` };
  }
  const words = new Set<string>();
  collectWords(first, words);
  const names = template.placeholders.flatMap(({ name }) => (name === undefined ? [] : [name]));
  return { ok: true, pattern: { roots: [first, ...others], words: [...words], names: new Set(names) } };
}

function convert(node: SyntaxNode, conversion: Conversion): PatternNode {
  const { template, rendering, offset } = conversion;
  const { type, field } = node;
  const index = rendering.spans.findIndex(
    ({ start, end }) => node.start === start + offset && node.end === end + offset,
  );
  const placeholder = template.placeholders[index];
  if (placeholder !== undefined && mayStandFor(node, placeholder)) return { kind: "placeholder", field, placeholder };
  if (node.children.length > 0) {
    const children = significantChildren(node).map((child) => convert(child, conversion));
    return { kind: "branch", type, field, children };
  }
  const text = rendering.spans.reduce(
    (written, { name }, index) => written.replaceAll(name, template.placeholders[index]?.source ?? name),
    rendering.code.slice(node.start - offset, node.end - offset),
  );
  return { kind: "leaf", type, field, text };
}

/** A run of statements without braces is not one statement, and where it is somebody's body it cannot be missing. */
function mayStandFor(node: SyntaxNode, placeholder: Placeholder): boolean {
  if (node.type !== "block" && node.type !== "statement_list") return true;
  return placeholder.isMany && node.field === undefined;
}

const separators: ReadonlySet<string> = new Set([",", ";"]);

/** What counts when two nodes are compared: not comments, line breaks, or the signs between and after things. */
export function significantChildren(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.filter(
    (child) => !isComment(child) && (child.isNamed || (!separators.has(child.type) && child.type.trim() !== "")),
  );
}

function collectWords(node: PatternNode, words: Set<string>): void {
  switch (node.kind) {
    case "placeholder":
      return;
    case "leaf":
      if (!node.text.includes("\n")) words.add(node.text);
      return;
    case "branch":
      for (const child of node.children) collectWords(child, words);
  }
}
