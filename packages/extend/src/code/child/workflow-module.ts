/** Makes a module of the text of a workflow, which may be one already, or the body of a function with its `meta` before it. */

const importStatement = /^import\b(?:[^"'()]*?\bfrom\s*)?\s*(?:"[^"\n]*"|'[^'\n]*')[^\S\n]*;?/gm;

/**
 * A workflow without a default export is a body: it waits and returns wherever it likes, which a module may not. Lines
 * keep their numbers, so that what an error says of them is true.
 */
export function asModule(text: string): string {
  if (/^[^\S\n]*export\s+default\b/m.test(text)) return text;
  const imports = text.match(importStatement) ?? [];
  const body = text
    .replace(importStatement, (statement) => statement.replaceAll(/[^\n]/g, ""))
    .replaceAll(/^([^\S\n]*)export\s+(?=(?:const|let|var|async|function|class|type|interface)\b)/gm, "$1");
  const head = imports.map((statement) => `${statement.replaceAll(/\s*\n\s*/g, " ").replace(/;?$/, ";")}`).join(" ");
  return `${head} export default async function workflow() { ${body}\n}`;
}
