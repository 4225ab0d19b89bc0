/** What the user and the project bring to every session: instruction files, memory, lessons, extensions and hooks. */
import { join, resolve } from "node:path";
import type { ReadRights, RuleSet, Store } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { openExtensions } from "../extensions/open-extensions.ts";
import { readShownFile } from "../extensions/read-shown-file.ts";
import { openInstructions } from "../instructions/open-instructions.ts";
import { createRunLessons } from "../lessons/run-lessons.ts";
import { openMemory } from "../memory/open-memory.ts";
import type { AssembleOptions } from "./assemble-options.ts";
import type { AssembledTools } from "./assemble-tools.ts";
import type { LiveConfiguration } from "./live-configuration.ts";
import type { ProcessParts } from "./process-parts.ts";

export type ProjectParts = {
  readonly options: AssembleOptions;
  readonly own: ProcessParts;
  readonly live: LiveConfiguration;
  readonly tools: AssembledTools;
  readonly store: Store;
  /** Rules that memory and extensions bring of their own are added to these. */
  readonly rules: RuleSet[];
  readonly reading: ReadRights;
  readonly addedDirectories: readonly string[];
  /** Further authorities that are trusted. */
  readonly ca?: string;
};

export async function assembleProject(parts: ProjectParts) {
  const { options, own, live, tools, store, rules, reading, addedDirectories, ca } = parts;
  const { configuration, home, project, environment, userDirectory, onNotice } = options;
  const { now, monotonicMs, randomBytes, redact, newId, telemetry, tie } = own;
  const instructions = openInstructions({
    ...{ home, project, userDirectory, redact, now, onNotice },
    settings: configuration.instructions,
    disabledSources: configuration.instructions.disabledSources,
  });
  const memory = await openMemory({
    ...{ home, project, environment, userDirectory, redact, now, randomBytes, onNotice },
    ...{ settings: configuration.memory, background: configuration.background },
    ...{ interactive: options.interactive, rules: () => rules },
    isWanted: options.memory !== false,
  });
  const extensionParts = {
    ...{ home, project, userDirectory, now, onNotice },
    settings: configuration.extensions,
    offersSkills: options.toolNames?.every((name) => name.toLowerCase() !== "skill") !== true,
    disabledSources: configuration.instructions.disabledSources,
    readFile: (path: string) => readShownFile(resolve(project.cwd, path), { reading, redact }),
  };
  const extensions = await openExtensions(extensionParts);
  // Nobody wrote these, so they are neither listed nor lost when files are read again.
  const ownRules = [...(memory.session?.rules ?? []), ...extensions.rules];
  rules.push(...ownRules);
  const lessons =
    memory.place.state === "on"
      ? createRunLessons({
          path: join(home.directory, "projects", project.projectId, "lessons.jsonl"),
          now,
          newId,
          redact,
        })
      : undefined;
  const { skillHooksOff } = configuration.hooks;
  const mayGrow = extensions.bringsHooks && skillHooksOff === undefined;
  // Loaded only where somebody wrote a hook.
  const hooks =
    configuration.hooks.sources.length === 0 && !mayGrow
      ? undefined
      : (await import("../hooks/open-hooks.ts")).openHooks({
          ...{ home, project, userDirectory, environment, store, redact, onNotice, now, monotonicMs },
          shellPath: tools.shellPath,
          captured: configuration.hooks,
          mayGrow,
          hookEnvironment: () => childEnvironment(telemetry.forChildren(environment), { scrub: true, ...live.env }),
          tied: tie.environment,
          workspace: { lookAtPath: tools.lookAtPath, analyseShell: tools.shell.analyse },
          interactive: options.interactive,
          addedDirectories,
          ...(ca !== undefined && { ca }),
        });
  extensions.bindHooks(async (sessionId, definition) => {
    if (!definition.fields.has("hooks")) return;
    const { hooksOfSkill } = await import("../hooks/skill-hooks.ts");
    const source = await hooksOfSkill(definition);
    if (source === undefined) return;
    if (mayGrow) hooks?.attachSource(sessionId, source);
    else {
      const why = skillHooksOff ?? "kedge found the skill only after the start";
      onNotice(`Hooks of the skill ${definition.name} do not run, because ${why}.`);
    }
  });
  return { instructions, memory, extensions, extensionParts, lessons, hooks, ownRules };
}
