/** The skills of one session: those of its start, those that files woke, and those that lie beside touched files. */
import { dirname, relative } from "node:path";
import type { SessionState } from "@kedge/protocol";
import type { SearchedFolder } from "../definitions/find-definitions.ts";
import { findDefinitions } from "../definitions/find-definitions.ts";
import { type Skill, skillOf } from "./skill.ts";

/** Which files a conversation has touched. */
export type TouchedFiles = {
  /** True when the conversation is another one, and all was forgotten. */
  look(state: Pick<SessionState, "items" | "queue">): boolean;
  /** Absolute, each once; grows at its end. */
  readonly files: readonly string[];
};

export type SessionSkillParts = {
  readonly root: string;
  /** Those of the start, one per name. */
  readonly skills: readonly Skill[];
  readonly touched: TouchedFiles;
  readonly matches: (path: string, patterns: readonly string[]) => boolean;
  /** The folders of skills in a directory of the project that exist; none where it is not trusted or ignored by git. */
  readonly foldersAt: (directory: string) => readonly SearchedFolder[];
};

export interface SessionSkills {
  /** Takes in what was touched since the last time; costs next to nothing when nothing was. */
  refresh(state: SessionState): void;
  /** Those of the start that are not dormant; the same for as long as the session is open. */
  readonly opening: readonly Skill[];
  /** Woken or found since, in the order in which they joined. */
  joined(): readonly Skill[];
  /** Awake and for the model. */
  find(name: string): Skill | undefined;
}

/** More directories than a conversation works in. */
const directoriesMax = 2_000;

export function createSessionSkills(parts: SessionSkillParts): SessionSkills {
  const { root, skills, touched, matches, foldersAt } = parts;
  const opening = skills.filter(({ paths, isForModel }) => paths.length === 0 && isForModel);
  const awake = new Map(opening.map((skill) => [skill.name, skill]));
  const known = new Set(skills.map(({ name }) => name));
  const looked = new Set<string>();
  let dormant = skills.filter(({ paths, isForModel }) => paths.length > 0 && isForModel);
  let joined: readonly Skill[] = [];
  let taken = 0;

  function join(skill: Skill): void {
    awake.set(skill.name, skill);
    joined = [...joined, skill];
  }

  /** Patterns start at the directory that holds the agent's folder. */
  function isWoken(skill: Skill, path: string): boolean {
    const { place } = skill.definition;
    const start = place.tier === "project" ? dirname(dirname(place.folder)) : root;
    return matches(relative(start, path), skill.paths);
  }

  function find(directory: string): void {
    if (looked.has(directory) || looked.size >= directoriesMax) return;
    looked.add(directory);
    const folders = foldersAt(directory);
    if (folders.length === 0) return;
    for (const definition of findDefinitions(folders).used) {
      const skill = skillOf(definition);
      if (known.has(skill.name) || !skill.isForModel) continue;
      known.add(skill.name);
      if (skill.paths.length === 0) join(skill);
      else dormant = [...dormant, skill];
    }
  }

  function take(path: string): void {
    for (let directory = dirname(path); directory.startsWith(`${root}/`); directory = dirname(directory))
      find(directory);
    const woken = dormant.filter((skill) => isWoken(skill, path));
    if (woken.length === 0) return;
    dormant = dormant.filter((skill) => !woken.includes(skill));
    for (const skill of woken) join(skill);
  }

  return {
    opening,
    joined: () => joined,
    find: (name) => awake.get(name) ?? awake.get(name.toLowerCase()),
    refresh(state) {
      if (touched.look(state)) taken = 0;
      for (; taken < touched.files.length; taken += 1) take(touched.files[taken] ?? "");
    },
  };
}
