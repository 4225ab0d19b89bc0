/** Memory for commands that start no session: that of the project, or any folder of notes for lint. */
import { createRedactor } from "@kedge/memory";
import { isSecretName } from "@kedge/sandbox";
import type { Configuration } from "../configuration/load-configuration.ts";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import { createRandomBytes } from "../machine/random-bytes.ts";
import { lintProject } from "./lint-project.ts";
import type { MemoryAnswer } from "./memory-answer.ts";
import { openMemory, type ProjectMemory } from "./open-memory.ts";

type Environment = { readonly [name: string]: string | undefined };

export type CommandMemoryParts = {
  readonly home: Home;
  readonly project: Project;
  readonly environment: Environment;
  readonly userDirectory: string;
  readonly configuration: Pick<Configuration, "memory" | "background" | "providers">;
};

export function openCommandMemory(parts: CommandMemoryParts): Promise<ProjectMemory> {
  const { configuration, environment } = parts;
  const keys = Object.values(configuration.providers).flatMap(({ apiKey }) => apiKey ?? []);
  return openMemory({
    ...parts,
    settings: configuration.memory,
    background: configuration.background,
    redact: redactorOf(environment, keys),
    now: Date.now,
    randomBytes: createRandomBytes(),
    // What is wrong with the place is the answer of every command.
    onNotice: () => {},
    isWanted: true,
    interactive: false,
    command: "kedge memory",
    rules: () => [],
  });
}

/** Paths that notes cite count from `root`. */
export async function lintNotes(
  directory: string,
  { environment, root, fix }: { readonly environment: Environment; readonly root: string; readonly fix: boolean },
): Promise<MemoryAnswer> {
  const { openMemoryStore } = await import("@kedge/memory/topics");
  const randomBytes = createRandomBytes();
  const redact = redactorOf(environment, []);
  const newToken = () => randomBytes(8).toString("hex");
  const store = openMemoryStore({ directory, now: Date.now, newToken, redact, acceptInferred: false });
  return lintProject({ fix }, { redact, now: Date.now, project: { root } }, store);
}

function redactorOf(environment: Environment, keys: readonly string[]): (text: string) => string {
  const variables = Object.keys(environment).filter(isSecretName);
  const values = [...keys, ...variables.flatMap((name) => environment[name] ?? [])];
  return createRedactor({ values: () => values }).redact;
}
