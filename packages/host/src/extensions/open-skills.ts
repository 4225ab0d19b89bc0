/** The skills of this place of work, wired for its sessions: what the model is told, the tool, and what it may do unasked. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Definition, FoundDefinitions, SearchedFolder } from "@kedge/extend/definitions";
import {
  createSessionSkills,
  createSkillSources,
  createSkillTool,
  type ForkSkill,
  instructsOnly,
  type SessionSkills,
  skillOf,
} from "@kedge/extend/skills";
import { createTouchedPaths, matchesPatterns } from "@kedge/memory/instructions";
import type { ContextSource, PermissionRule, RuleSet, ToolSource } from "@kedge/protocol";
import { allowedRules } from "./allowed-rules.ts";
import { type ExtensionPlaces, skillFoldersAt } from "./extension-places.ts";

export type OpenSkillParts = {
  readonly found: FoundDefinitions;
  /** Where they were found. */
  readonly folders: readonly SearchedFolder[];
  readonly places: ExtensionPlaces;
  readonly isTrusted: () => boolean;
  readonly onUse: UseSkill;
  readonly fork: ForkSkillIn;
};

/** Runs a skill in an agent of a session; undefined where there are no agents. */
export type ForkSkillIn = (sessionId: string) => ForkSkill | undefined;

/** Told before the instructions of a skill are given out in a session. */
export type UseSkill = (sessionId: string, definition: Definition) => Promise<void>;

export type OpenSkills = {
  readonly newSources: (sessionId: string) => readonly ContextSource[];
  readonly toolSource: ToolSource;
  readonly rules: readonly RuleSet[];
};

export function createOpenSkills({ found, folders, places, isTrusted, onUse, fork }: OpenSkillParts): OpenSkills {
  const { cwd, root } = places;
  const skills = found.used.map(skillOf);
  const sessions = new Map<string, SessionSkills>();
  const isIgnored = ignoredIn(root);

  function sessionOf(sessionId: string): SessionSkills {
    const known = sessions.get(sessionId);
    if (known !== undefined) return known;
    const session = createSessionSkills({
      ...{ root, skills },
      touched: createTouchedPaths(cwd),
      matches: matchesPatterns,
      foldersAt: (directory) =>
        isTrusted() && !isIgnored(relative(root, directory)) ? skillFoldersAt(directory, places) : [],
    });
    sessions.set(sessionId, session);
    return session;
  }

  return {
    rules: [{ source: "builtin", rules: rulesFor(folders) }],
    newSources: (sessionId) => createSkillSources(sessionOf(sessionId), root),
    toolSource: {
      name: "skills",
      kind: "built-in",
      open({ sessionId }) {
        const session = sessionOf(sessionId);
        const tool = createSkillTool({
          find: session.find,
          names: () => [...session.opening, ...session.joined()].map(({ name }) => name),
          rulesOf: ({ definition }) => allowedRules(definition),
          variables: { SESSION_ID: sessionId, PROJECT_DIR: root },
          onUse: ({ definition }) => onUse(sessionId, definition),
          fork: () => fork(sessionId),
        });
        return { tools: () => [tool] };
      },
    },
  };
}

/** One that only instructs needs no answer. The files of those of the user and of plugins may be read although they lie elsewhere. */
function rulesFor(folders: readonly SearchedFolder[]): readonly PermissionRule[] {
  const elsewhere = folders
    .filter(({ place }) => place.tier === "user" || place.tier === "plugin")
    .map(({ place }) => place.plugin?.root ?? place.folder)
    .filter((folder) => !/[*?]/.test(folder));
  return [
    { permission: "skill", pattern: `*@${instructsOnly}*`, action: "allow" },
    ...[...new Set(elsewhere)].map(
      (folder) => ({ permission: "external_directory", pattern: `${folder}/*`, action: "allow" }) as const,
    ),
  ];
}

const dependencyFolders: ReadonlySet<string> = new Set(
  "node_modules vendor bower_components target dist build venv .venv site-packages .git".split(" "),
);

/** What git ignores is not the project's own work. By the file at its root, which is where nearly all of it stands. */
function ignoredIn(root: string): (directory: string) => boolean {
  let patterns: readonly string[] | undefined;
  return (directory) => {
    if (directory.split("/").some((step) => dependencyFolders.has(step))) return true;
    patterns ??= ignorePatterns(join(root, ".gitignore"));
    return matchesPatterns(directory, patterns);
  };
}

function ignorePatterns(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
}
