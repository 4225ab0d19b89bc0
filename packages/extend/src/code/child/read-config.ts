/** The hook `config` of OpenCode: it changes settings before anything starts. Commands are taken over; the rest is named. */
import type { JsonObject } from "@kedge/protocol";
import type { Code } from "./registered-code.ts";

type Fields = { readonly [name: string]: unknown };

export type ReadConfig = {
  /** What commands are made of, by name, as JSON. */
  readonly commands: JsonObject;
  /** What is not used, in sentence parts about the file. */
  readonly notes: readonly string[];
};

/** Groups that plugins add to without a look whether they are there. */
const groups = ["command", "agent", "mcp", "provider", "permission", "tools", "experimental"] as const;

export async function readConfig(hooks: readonly Code[]): Promise<ReadConfig> {
  if (hooks.length === 0) return { commands: {}, notes: [] };
  const config: { [name: string]: unknown } = Object.fromEntries(groups.map((group) => [group, {}]));
  try {
    for (const hook of hooks) await hook(config);
    const { command, ...others } = config;
    const set = Object.entries(others).filter(([, value]) => !isEmpty(value));
    const commands = isFields(command) ? (JSON.parse(JSON.stringify(command)) as JsonObject) : {};
    const names = set.map(([name]) => name).join(", ");
    return { commands, notes: names === "" ? [] : [`its hook config sets ${names}; only command is used`] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { commands: {}, notes: [`its hook config failed: ${why}`] };
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (isFields(value) && Object.keys(value).length === 0);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
