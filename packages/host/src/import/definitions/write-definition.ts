/** Writes a definition that another agent keeps in its settings as a Markdown file of kedge. */
import type { Findings, Origin } from "../findings.ts";
import { type ForeignFolder, holdsSecret } from "../foreign-folder.ts";
import { noteSecret, noteUnsupported } from "../note-settings.ts";

export type WrittenDefinition = {
  readonly folder: "commands" | "agents";
  /** Slashes and colons are namespaces. */
  readonly name: string;
  readonly fields: { readonly [name: string]: unknown };
  readonly body: string;
  readonly from: Origin;
};

const nameForm = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?:[/:][\p{L}\p{N}_][\p{L}\p{N}_.-]*)*$/u;
const nameCharactersMax = 100;

export function writeDefinition(definition: WrittenDefinition, foreign: ForeignFolder, findings: Findings): void {
  const { folder, name, fields, body, from } = definition;
  if (!nameForm.test(name) || name.length > nameCharactersMax || name.includes("..")) {
    noteUnsupported(findings, from, undefined, "has a name that is not a valid file name");
    return;
  }
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  // JSON is YAML as well.
  const lines = present.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const text = `${[...(lines.length > 0 ? ["---", ...lines, "---"] : []), body.trimEnd()].join("\n")}\n`;
  if (holdsSecret(text, foreign)) {
    noteSecret(findings, from);
    return;
  }
  const target = `${folder}/${name.replaceAll(":", "/")}.md`;
  findings.files.push({ target, bytes: Buffer.from(text), isExecutable: false, from });
}
