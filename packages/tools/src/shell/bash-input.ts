/** The input of `bash`: its schema, and how what a model sent becomes the command that runs. */
import { resolve } from "node:path";
import { isJsonObject, type JsonSchema, type Need, type Parsed } from "@kedge/protocol";
import { parseInput } from "../tool-input.ts";
import { normaliseCommand } from "./normalise-command.ts";

export type BashInput = {
  readonly command: string;
  readonly description: string;
  readonly timeout?: number;
  readonly background?: boolean;
  readonly workdir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory was a `cd` in the command, so the next call starts there too. */
  readonly staysInWorkdir?: true;
};

export const bashInputSchema: JsonSchema = {
  type: "object",
  properties: {
    command: { type: "string", minLength: 1 },
    description: { type: "string", description: "what it does, in a few words" },
    timeout: { type: "number", minimum: 1, description: "seconds; default 120, at most 600" },
    background: { type: "boolean", description: "returns a job id at once" },
    workdir: { type: "string", minLength: 1 },
    env: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["command", "description"],
};

const aliases: Readonly<Record<string, string>> = { cwd: "workdir", async: "background" };
const variableName = /^[A-Za-z_]\w*$/;

/** Normalises here, so that whoever permits, shows or records the call sees what will run. */
export function parseBashInput(input: unknown): Parsed<BashInput> {
  const parsed = parseInput<BashInput>(bashInputSchema, isJsonObject(input) ? withoutAliases(input) : input);
  if (!parsed.ok) return parsed;
  const { workdir, env = {} } = parsed.input;
  const badName = Object.keys(env).find((name) => !variableName.test(name));
  if (badName !== undefined) return { ok: false, report: `env: ${JSON.stringify(badName)} is no name of a variable` };
  const badValue = Object.entries(env).find(([, value]) => value.includes("\0"))?.[0];
  if (badValue !== undefined) return { ok: false, report: `env: the value of ${badValue} contains a NUL character` };

  const keepsDirectory = workdir !== undefined || "CDPATH" in env;
  const { command, directory } = normaliseCommand(parsed.input.command, { keepsDirectory });
  const entered = directory === undefined ? {} : { workdir: directory, staysInWorkdir: true as const };
  return { ok: true, input: { ...parsed.input, command, ...entered } };
}

function withoutAliases(input: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) named[aliases[name] ?? name] ??= value;
  return named;
}

/** Variables stand before the command, as one would write them, so that rules for them hold here too. */
export function needCommand(input: BashInput, directory: string): Need {
  const variables = Object.entries(input.env ?? {}).map(([name, value]) => `${name}=${quote(value)} `);
  const text = variables.join("") + input.command;
  return {
    permission: "bash",
    patterns: [text],
    always: [text],
    access: "execute",
    paths: [resolve(directory, input.workdir ?? ".")],
  };
}

function quote(value: string): string {
  return /^[\w./:@%+,-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
