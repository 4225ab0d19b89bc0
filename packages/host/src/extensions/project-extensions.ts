/** The folders of skills, commands and output styles that a project brings where kedge is started, found by name alone. */
import { relative } from "node:path";
import type { ProjectInput } from "../trust/project-inputs.ts";
import { findBases, foldersOf } from "./extension-places.ts";

const kinds = [
  ["skill", "skills"],
  ["command", "commands"],
  ["style", "output styles"],
] as const;

export type ExtensionSite = {
  readonly cwd: string;
  readonly root: string;
  readonly userDirectory: string;
  readonly kedgeHome: string;
};

/** Without hashes: the files at the root are part of what is trusted, those below it are trusted with the project. */
export function projectExtensions(site: ExtensionSite): readonly ProjectInput[] {
  const places = { ...site, managed: "", disabled: [] };
  const { project } = findBases(places);
  if (project.length === 0) return [];
  return kinds.flatMap(([kind, words]) =>
    foldersOf(kind, { user: [], project }, places, () => true).map(({ place }) => {
      return { name: relative(site.root, place.folder), kind: words, hash: "" };
    }),
  );
}
