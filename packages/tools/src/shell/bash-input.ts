/** The input of `bash`: its schema, and how what a model sent becomes the command that runs. */
import { resolve } from "node:path";
import { isJsonObject, type JsonSchema, type Need, type Parsed } from "@kedge/protocol";
import { parseInput } from "../tool-input.ts";
import { type BashSettings, timeoutDefaultSeconds, timeoutLimitSeconds } from "./bash-settings.ts";
import { normaliseCommand } from "./command/normalise-command.ts";

export type BashInput = {
  readonly command: string;
  readonly description: string;
  readonly timeout?: number;
  readonly background?: boolean;
  readonly workdir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly pty?: boolean;
  /** The working directory was a `cd` at the start of the command. It holds for this call only. */
  readonly isEntered?: true;
};

export type BashInputReader = {
  readonly schema: JsonSchema;
  /** Normalises here, so that whoever permits, shows or records the call sees what will run. */
  parse(input: unknown): Parsed<BashInput>;
  timeoutSeconds(input: BashInput): number;
  /** The command as the shell gets it. */
  commandOf(input: BashInput): string;
  /** Variables stand before the command, as one would write them, so that rules for them hold here too. */
  needOf(input: BashInput, directory: string): Need;
};

const aliases: Readonly<Record<string, string>> = {
  cwd: "workdir",
  directory: "workdir",
  async: "background",
  run_in_background: "background",
};
const variableName = /^[A-Za-z_]\w*$/;

export function createBashInputReader(settings: BashSettings): BashInputReader {
  const timeoutMaxSeconds = Math.min(settings.maxTimeout, timeoutLimitSeconds);
  const schema = describeInput(timeoutMaxSeconds);
  const prefix = settings.prefix.trim();
  const commandOf = ({ command }: BashInput) => (prefix === "" ? command : `${prefix} ${command}`);

  return {
    schema,
    parse(input) {
      const parsed = parseInput<BashInput>(schema, isJsonObject(input) ? withoutAliases(input) : input);
      if (!parsed.ok) return parsed;
      const { workdir, env = {} } = parsed.input;
      const badVariable = describeBadVariable(env);
      if (badVariable !== undefined) return { ok: false, report: badVariable };
      const { command, directory } = normaliseCommand(parsed.input.command, {
        keepsDirectory: workdir !== undefined || "CDPATH" in env,
        keepsHeadAndTail: !settings.stripTrailingHeadTail,
      });
      const entered = directory === undefined ? {} : { workdir: directory, isEntered: true as const };
      return { ok: true, input: { ...parsed.input, command, ...entered } };
    },
    timeoutSeconds: ({ timeout = timeoutDefaultSeconds }) => Math.min(timeout, timeoutMaxSeconds),
    commandOf,
    needOf(input, directory) {
      const variables = Object.entries(input.env ?? {}).map(([name, value]) => `${name}=${quote(value)} `);
      const text = variables.join("") + commandOf(input);
      const paths = [resolve(directory, input.workdir ?? ".")];
      return { permission: "bash", patterns: [text], always: [text], access: "execute", paths };
    },
  };
}

function describeInput(timeoutMaxSeconds: number): JsonSchema {
  return {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1 },
      description: { type: "string", description: "what it does, briefly" },
      timeout: { type: "number", minimum: 1, description: `seconds; default 120, at most ${timeoutMaxSeconds}` },
      background: { type: "boolean", description: "returns a job id at once" },
      workdir: { type: "string", minLength: 1 },
      env: { type: "object", additionalProperties: { type: "string" } },
      pty: { type: "boolean" },
    },
    required: ["command", "description"],
  };
}

function describeBadVariable(env: Readonly<Record<string, string>>): string | undefined {
  const badName = Object.keys(env).find((name) => !variableName.test(name));
  if (badName !== undefined) return `env: ${JSON.stringify(badName)} is not a variable name`;
  const badValue = Object.entries(env).find(([, value]) => value.includes("\0"))?.[0];
  return badValue === undefined ? undefined : `env: the value of ${badValue} contains a NUL character`;
}

function withoutAliases(input: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) named[aliases[name] ?? name] ??= value;
  // Small models often leave it out. The command itself is shown then, which is no reason to refuse the call.
  named["description"] ??= "";
  return named;
}

/** A value as one would write it in a shell. */
export function quote(value: string): string {
  return /^[\w./:@%+,-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
