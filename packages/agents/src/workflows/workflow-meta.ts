/** Reads what a workflow says of itself from its text, without running it. */

export type WorkflowMeta = { readonly name: string; readonly description: string };

/** More is not read for two texts. */
const metaCharactersMax = 4_000;
const nameCharactersMax = 64;
const descriptionCharactersMax = 500;

/** `fallback` is the name of its file. A name that cannot be typed is no name. */
export function readWorkflowMeta(text: string, fallback: string): WorkflowMeta {
  const at = text.search(/^[^\S\n]*export\s+const\s+meta\s*(?::[^=]+)?=\s*\{/m);
  const literal = at === -1 ? "" : text.slice(at, at + metaCharactersMax);
  const named = fieldOf(literal, "name");
  const name = named !== undefined && /^[\w.:-]+$/.test(named) ? named.slice(0, nameCharactersMax) : fallback;
  const description = (fieldOf(literal, "description") ?? "").replaceAll(/\s+/g, " ").trim();
  return { name, description: description.slice(0, descriptionCharactersMax) };
}

/** The first one: whatever the object holds further down is not its own. */
function fieldOf(literal: string, field: string): string | undefined {
  const pattern = new RegExp(
    `[{,\\s]["']?${field}["']?\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`[^\`$]*\`)`,
  );
  const quoted = pattern.exec(literal)?.[1];
  return quoted === undefined ? undefined : quoted.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}
