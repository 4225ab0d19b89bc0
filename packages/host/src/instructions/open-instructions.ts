/** The instruction files of one place of work: where they are looked for here, whether they count, and what agents did to them. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import {
  createInstructionSources,
  type InstructionParts,
  type InstructionPlaces,
  type PromptFileName,
  promptFile,
  recentInstructions,
} from "@kedge/memory/instructions";
import { type ContextSource, FailureError, reasonOf, type SteeringChange } from "@kedge/protocol";
import { managedPlaceDefault } from "../configuration/managed-policy.ts";
import type { Home } from "../machine/home.ts";
import { ompFolder } from "../machine/omp-folder.ts";
import type { Project } from "../machine/project.ts";
import { isWorkspaceTrusted, judgeWorkspace, keepTrust } from "../trust/workspace-trust.ts";
import { digestOf } from "./digest-of.ts";
import { changeUnaccepted, createRecordReader, projectRecord } from "./instruction-record.ts";
import type { InstructionSettings } from "./instruction-settings.ts";
import { pinnedEntries } from "./pinned-entries.ts";

export type InstructionAssembly = {
  readonly home: Home;
  readonly project: Project;
  readonly userDirectory: string;
  readonly settings: InstructionSettings;
  readonly disabledSources: readonly string[];
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly onNotice: (sentence: string) => void;
  /** Whoever started has found the project trusted; looked up otherwise. */
  readonly isTrusted?: true;
};

export type Instructions = {
  /** For one session. */
  readonly newSources: () => readonly ContextSource[];
  /** What files are found and judged by, as things are now. */
  readonly parts: () => InstructionParts;
  /** The file that stands in the place of one of our own prompts, or beside it. */
  readonly promptFile: (name: PromptFileName) => string | undefined;
  /** Whether a file was loaded, by whatever name. */
  readonly isInstruction: (path: string) => boolean;
  /** Those that changed since a time, wherever they lie. */
  readonly recent: (since: number) => readonly string[];
  /** Told by the engine of every change of a file that instructs later sessions. */
  readonly steeringChanged: (change: SteeringChange) => void;
};

export function openInstructions(assembly: InstructionAssembly): Instructions {
  const { home, project, userDirectory, settings, disabledSources, redact, now } = assembly;
  const { cwd, root } = project;
  const trustParts = { home, root, userDirectory, now };
  /** As it was at the start: what is trusted does not change under a running session. */
  let isTrusted: boolean | undefined = assembly.isTrusted;
  /** The content that files had when they were loaded last. */
  const seen = new Map<string, string>();

  const places: InstructionPlaces = {
    ...{ cwd, root, home: userDirectory, kedgeHome: home.directory },
    managed: managedPlaceDefault.directory,
    userId: process.getuid?.(),
    ompFolder: ompFolder(userDirectory, home.directory),
  };

  const record = createRecordReader(home.directory, assembly.onNotice);
  function parts(): InstructionParts {
    return {
      places,
      settings: { ...settings, disabledSources },
      isTrusted: () => {
        isTrusted ??= isWorkspaceTrusted(trustParts);
        return isTrusted;
      },
      isApproved: (target) => {
        const known = record();
        return known !== undefined && projectRecord(known, root).approved.includes(target);
      },
      isUnaccepted(path, hash) {
        if (hash !== "") seen.set(path, hash);
        const known = record();
        // Without the record nobody can say who wrote a file.
        if (known === undefined) return true;
        // By content: a link or a copy of what an agent wrote is no better than the file itself.
        return hash === "" ? known.unaccepted[path] === "" : Object.values(known.unaccepted).includes(hash);
      },
      redact,
      ...(settings.urls.length > 0 && { remote: pinnedEntries(settings.urls, record()?.urls ?? {}, redact) }),
    };
  }

  return {
    parts,
    newSources: () => createInstructionSources(parts()),
    promptFile: (name) => promptFile(name, parts()),
    isInstruction: (path) => seen.has(path),
    recent: (since) => recentInstructions(parts(), since),
    steeringChanged({ path, isAccepted, isCertain }) {
      const hash = hashOf(path);
      if (seen.get(path) === hash || (!isCertain && !seen.has(path))) return;
      try {
        changeUnaccepted(home.directory, path, hash, isAccepted);
        // Whoever said yes to the text has seen it; being asked again at the next start would be about the same.
        if (isAccepted) acceptInTrust(path);
      } catch (error) {
        // The call is over; whoever reads this knows that the file must be looked at.
        const why = error instanceof FailureError ? error.failure.message : reasonOf(error);
        assembly.onNotice(`An agent changed ${path}, but this could not be recorded: ${why}`);
      }
    },
  };

  function acceptInTrust(path: string): void {
    const name = relative(root, path);
    const before = judgeWorkspace(trustParts);
    if (before.state !== "unknown") {
      keepTrust(trustParts, before, name);
      return;
    }
    const isOnlyThis = before.changes.length > 0 && before.changes.every((change) => change.name === name);
    if (isOnlyThis && isTrusted) keepTrust(trustParts, { state: "trusted", inputs: before.inputs }, name);
  }
}

/** Empty for a file that is not there. */
function hashOf(path: string): string {
  try {
    return digestOf(readFileSync(path, "utf8"));
  } catch {
    return "";
  }
}
