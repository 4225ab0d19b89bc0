/** Plugins as rows of data and as lines for people. */
import { type Capability, capabilityText, changedCapabilities, sourceText } from "@kedge/extend/plugins";
import type { JsonObject } from "@kedge/protocol";
import { missingOptions } from "./change-plugins.ts";
import type { PlannedPlugin } from "./plan-install.ts";
import type { LockedPlugin } from "./plugin-lock.ts";

/** What a plugin says of itself stays on one line, so that it cannot pass for a line of ours. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/g, "␊");
}

/** Without what the user gave for options: some of it is secret. */
export function pluginRow(plugin: LockedPlugin): JsonObject {
  const { name, version, description, marketplace, source, commit, integrity, hash, enabled, capabilities } = plugin;
  return {
    name,
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    enabled,
    ...(marketplace !== undefined && { marketplace }),
    source: sourceText(source),
    ...(commit !== undefined && { commit }),
    ...(integrity !== undefined && { integrity }),
    hash,
    capabilities: capabilities.map((each) => ({ ...each })),
    options: plugin.options.map(({ key, isSecret, isRequired }) => ({
      key,
      isSecret,
      isRequired,
      isSet: plugin.values[key] !== undefined,
    })),
  };
}

export function pluginLines(plugin: LockedPlugin): readonly string[] {
  const { enabled, description = "", capabilities } = plugin;
  const missing = missingOptions(plugin).map(
    (key) => `  needs the option ${key}: kedge plugin enable ${plugin.name} ${key}=<value>`,
  );
  return [
    `${headOf(plugin)}${enabled ? "" : ", disabled"}`,
    ...(description === "" ? [] : [`  ${onOneLine(description)}`]),
    `  ${summaryOf(capabilities)}`,
    ...missing,
  ];
}

function headOf({ name, version, marketplace, source, commit }: LockedPlugin): string {
  const at = commit === undefined ? "" : ` (${commit.slice(0, 12)})`;
  const from = marketplace === undefined ? sourceText(source) : `${marketplace}, ${sourceText(source)}`;
  return onOneLine(`${name}${version === undefined ? "" : ` ${version}`} from ${from}${at}`);
}

/** `2 skills, 1 hook`. */
function summaryOf(capabilities: readonly Capability[]): string {
  const groups = [...Map.groupBy(capabilities, ({ kind }) => kind)];
  return groups
    .map(([kind, group]) => `${group.length} ${kind}${group.length === 1 || kind === "code" ? "" : "s"}`)
    .join(", ");
}

/** What a person is shown before saying yes: all of it at first, and what changes with an update. */
export function planLines({ plugin, before, notes }: PlannedPlugin): readonly string[] {
  const missing = missingOptions(plugin);
  return [
    headOf(plugin),
    ...(before === undefined
      ? plugin.capabilities.map((each) => `  ${onOneLine(capabilityText(each))}`)
      : updateLines(plugin, before)),
    ...(plugin.enabled || before !== undefined ? [] : ["  It stays disabled until you run kedge plugin enable."]),
    ...missing.map((key) => `  needs the option ${key}`),
    ...notes.map((note) => `  note: ${onOneLine(note)}`),
  ];
}

function updateLines(plugin: LockedPlugin, before: LockedPlugin): readonly string[] {
  const { added, removed } = changedCapabilities(before.capabilities, plugin.capabilities);
  const from =
    sourceText(before.source) === sourceText(plugin.source)
      ? []
      : [`  - from ${sourceText(before.source)}`, `  + from ${sourceText(plugin.source)}`];
  if (added.length + removed.length + from.length === 0)
    return ["  It provides the same as before; its files changed."];
  return [
    ...from,
    ...removed.map((each) => `  - ${onOneLine(capabilityText(each))}`),
    ...added.map((each) => `  + ${onOneLine(capabilityText(each))}`),
  ];
}
