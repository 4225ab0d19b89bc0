/** Where omp keeps what belongs to the user: with a profile of kedge that of the same name, where omp has one. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export const ompFolderDefault = ".omp/agent";

/** Relative to the user's directory. */
export function ompFolder(userDirectory: string, kedgeHome: string): string {
  const isProfile = basename(dirname(kedgeHome)) === "profiles";
  const ofProfile = join(".omp/profiles", basename(kedgeHome), "agent");
  return isProfile && existsSync(join(userDirectory, ofProfile)) ? ofProfile : ompFolderDefault;
}
