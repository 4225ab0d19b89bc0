/** Carries out the user's word that a broken settings file is to count as absent. */
import { resolve } from "node:path";
import { reasonOf } from "@kedge/protocol";
import { findForeignFiles, readForeignFile } from "./foreign-rules.ts";
import { problemOf } from "./gather-settings.ts";
import { setAside } from "./set-aside.ts";
import { type ConfigurationSources, findLayers, shownPath } from "./setting-layers.ts";

export type FileSetAside =
  /** What is wrong with the file. */
  | { readonly ok: true; readonly file: string; readonly problem: string }
  | { readonly ok: false; readonly sentence: string };

/** Only of a file that is read here and is broken: one that is sound is changed, not overlooked. */
export async function setAsideFile(given: string, sources: ConfigurationSources): Promise<FileSetAside> {
  const path = resolve(sources.cwd, given);
  const file = shownPath(path, sources);
  const layer = findLayers(sources).find((each) => each.path === path);
  const foreign = findForeignFiles(sources).find((each) => each.path === path);
  if (layer === undefined && foreign === undefined) {
    return { ok: false, sentence: `${file} is not a settings file` };
  }
  let problem: string | undefined;
  if (layer !== undefined) problem = await problemOf(layer, sources);
  else if (foreign !== undefined) {
    const read = await readForeignFile(foreign, file);
    problem = read.ok ? undefined : read.sentence;
  }
  if (problem === undefined) return { ok: false, sentence: `${file} is valid; nothing to set aside` };
  try {
    setAside(path, sources.home);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return { ok: false, sentence: `${file} could not be set aside (${reasonOf(error)})` };
  }
  return { ok: true, file, problem };
}
