/** Small steps that the readers of all agents share: take a setting over, or note that it has no counterpart. */
import { isJsonObject, type Json } from "@kedge/protocol";
import { isSecretName } from "@kedge/sandbox";
import type { Settings } from "../configuration/setting-file.ts";
import type { Findings, ImportLayer, Origin } from "./findings.ts";
import type { NameTable } from "./name-table.ts";

export type Remedies = NameTable;

export const modelRemedy = "Choose one with kedge config set model <provider/model>. List models with kedge models.";

/** The key is kedge's, the origin names theirs. Whether kedge accepts the value is found out when the plan is made. */
export function takeSetting(
  findings: Findings,
  setting: { readonly layer: ImportLayer; readonly key: string; readonly value: unknown; readonly from: Origin },
): void {
  const { layer, key, value, from } = setting;
  // What was read from JSON, YAML or TOML can be written as JSON.
  findings.settings.push({ layer, path: key.split("."), value: value as Json, from });
}

export function noteUnsupported(findings: Findings, from: Origin, remedy?: string, why?: string): void {
  const reason = why ?? "has no equivalent in kedge";
  findings.notes.push({ ...from, kind: "unsupported", why: reason, ...(remedy !== undefined && { remedy }) });
}

/** Every key that nobody took. Groups are noted by their parts, one level deep, so that a person finds them. */
export function noteRest(
  findings: Findings,
  settings: Settings,
  {
    file,
    taken,
    remedies,
  }: { readonly file: string; readonly taken: ReadonlySet<string>; readonly remedies: Remedies },
): void {
  for (const [key, value] of Object.entries(settings)) {
    if (key === "$schema" || taken.has(key)) continue;
    const parts = isJsonObject(value) ? Object.keys(value) : [];
    const isSplit = parts.some((part) => taken.has(`${key}.${part}`));
    const keys = isSplit ? parts.map((part) => `${key}.${part}`).filter((part) => !taken.has(part)) : [key];
    for (const each of keys) noteUnsupported(findings, { file, key: each }, remedies.get(each) ?? remedies.get(key));
  }
}

/** Variables that an agent sets for itself and its commands. Values are never shown. */
export function noteVariables(
  findings: Findings,
  variables: unknown,
  { file, key, logins }: { readonly file: string; readonly key: string; readonly logins: Remedies },
): void {
  if (!isJsonObject(variables)) return;
  for (const name of Object.keys(variables)) {
    const from = { file, key: `${key}.${name}` };
    const login = [...logins].find(([start]) => name.startsWith(start))?.[1];
    if (isSecretName(name)) noteSecret(findings, from, login);
    else noteUnsupported(findings, from, "Set it in your shell instead.");
  }
}

/** The provider whose key it is, where that is known. */
export function noteSecret(findings: Findings, from: Origin, provider?: string): void {
  const remedy = provider === undefined ? "Set it in your environment." : `Save it with kedge auth login ${provider}.`;
  findings.notes.push({ ...from, kind: "secret", why: "is a secret and was not copied", remedy });
}
