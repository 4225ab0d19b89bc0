/** Turns a command of Gemini CLI, which is TOML with places of its own, into a Markdown command of kedge. */
import type { Findings } from "../findings.ts";
import type { ForeignFolder } from "../foreign-folder.ts";
import { filesBelow, originOf } from "../foreign-folder.ts";
import { noteUnsupported } from "../note-settings.ts";
import { readTomlFile } from "../toml/read-toml-file.ts";
import { writeDefinition } from "./write-definition.ts";

export function writeGeminiCommands(folder: ForeignFolder, findings: Findings): void {
  for (const { path, name } of filesBelow("commands", folder).filter((file) => file.name.endsWith(".toml"))) {
    const table = readTomlFile(`commands/${name}`, folder, findings);
    if (table === undefined) continue;
    const from = originOf(path, folder);
    const { prompt, description } = table;
    const body = typeof prompt === "string" ? convertPrompt(prompt) : { ok: false as const, why: "has no prompt" };
    if (!body.ok) noteUnsupported(findings, from, undefined, body.why);
    else {
      const called = name.slice(0, -".toml".length);
      const definition = { folder: "commands", name: called, fields: { description }, body: body.text, from } as const;
      writeDefinition(definition, folder, findings);
    }
  }
}

type Converted = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** What would get a meaning that it does not have there must not be copied. */
const meaningful = /\$(?:ARGUMENTS|\d|\{?[A-Za-z])|!`|```!|(?<=^|[\s("'])@(?!\{)[\w.~-]/m;

export function convertPrompt(prompt: string): Converted {
  const places = /!\{([^{}\n`]*)\}|@\{([\w./~-]+)\}|\{\{args\}\}/g;
  if (/!\{[^}]*\{\{args\}\}/.test(prompt)) {
    return { ok: false, why: "passes its arguments to a shell command, where kedge quotes them differently" };
  }
  const rest = prompt.replaceAll(places, "");
  if (meaningful.test(rest)) return { ok: false, why: "contains text that kedge would treat as a placeholder" };
  if (/[!@]\{/.test(rest))
    return { ok: false, why: "contains a shell command or file reference that kedge reads differently" };
  const text = prompt.replaceAll(places, (_, command?: string, path?: string) => {
    if (command !== undefined) return `!\`${command}\``;
    return path === undefined ? "$ARGUMENTS" : `@${path}`;
  });
  return { ok: true, text };
}
