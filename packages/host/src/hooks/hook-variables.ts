/** Variables that hooks leave for the commands of later calls, in the file that CLAUDE_ENV_FILE names. */
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { type HookParts, isHeldVariable, readEnvironmentText } from "@kedge/extend/hooks";

type Variables = { readonly [name: string]: string };

export type HookVariables = {
  readonly file: NonNullable<HookParts["environmentFile"]>;
  readonly variables: () => Variables;
  /** Directories with programs. They stand behind those of the machine: no hook takes the place of `git`. */
  readonly folders: () => readonly string[];
};

export type HookVariableParts = {
  readonly directory: string;
  readonly cwd: string;
  readonly environment: () => Variables;
  readonly onNotice: (sentence: string) => void;
};

const bytesMax = 64 * 1024;
const variablesMax = 200;

export function createHookVariables({ directory, cwd, environment, onNotice }: HookVariableParts): HookVariables {
  const kept = new Map<string, string>();
  const folders = new Set<string>();
  let count = 0;

  function take(text: string, name: string): void {
    if (text === "") return;
    const plain = environment();
    const { variables, refused } = readEnvironmentText(text, { ...plain, ...Object.fromEntries(kept) });
    const present = new Set((plain["PATH"] ?? "").split(delimiter));
    for (const [variable, value] of variables) {
      if (variable === "PATH") {
        for (const folder of value.split(delimiter)) if (!present.has(folder)) folders.add(resolve(cwd, folder));
      } else if (isHeldVariable(variable) || value.includes("\0") || kept.size >= variablesMax) {
        onNotice(`Hook ${name} cannot set ${variable} for commands.`);
      } else kept.set(variable, value);
    }
    for (const line of refused) onNotice(`Hook ${name}: not an assignment in CLAUDE_ENV_FILE: ${line.slice(0, 200)}`);
  }

  return {
    file() {
      count += 1;
      // One for each hook: they run at the same time.
      const path = join(directory, `${process.pid}-${count}.env`);
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(path, "", { mode: 0o600 });
      return {
        path,
        take({ name }) {
          take(beginningOf(path), name);
          rmSync(path, { force: true });
        },
      };
    },
    variables: () => Object.fromEntries(kept),
    folders: () => [...folders],
  };
}

/** What a hook removed or replaced holds nothing. */
function beginningOf(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(bytesMax);
      return bytes.subarray(0, readSync(file, bytes)).toString("utf8");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
