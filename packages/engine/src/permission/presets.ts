/** Ready-made rules that a configuration takes in by name, before its own. */
import type { PermissionRule } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parsePermissionRules } from "./rule-forms.ts";

const texts: { readonly [name: string]: string } = {
  "git-safe": textBeside(import.meta.url, "./presets/git-safe.json"),
  "terraform-safe": textBeside(import.meta.url, "./presets/terraform-safe.json"),
  "read-only": textBeside(import.meta.url, "./presets/read-only.json"),
  ci: textBeside(import.meta.url, "./presets/ci.json"),
};

export const presetNames: readonly string[] = Object.keys(texts);

/** Throws for a name that is none of `presetNames`, and for a file that holds no rules. */
export function presetRules(name: string): readonly PermissionRule[] {
  const text = texts[name];
  if (text === undefined) throw new Error(`unknown preset ${name}`);
  const parsed = parsePermissionRules({ permission: JSON.parse(text) }, { source: "builtin" });
  if (!parsed.ok) throw new Error(`the preset ${name} is invalid at ${parsed.path}`);
  return parsed.rules.rules;
}
