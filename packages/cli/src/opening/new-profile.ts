/** Says so when a profile is used for the first time, because its name may be a slip. */
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { homeDirectory, profileOf } from "@kedge/host";
import { nearWords } from "../arguments/near-words.ts";
import { settingsTexts } from "../texts/opening.ts";
import type { Surroundings } from "./surroundings.ts";

const guessesMax = 3;

/** Undefined without a profile, or where it is there already. */
export function newProfileNotice({
  environment,
  userDirectory,
}: Pick<Surroundings, "environment" | "userDirectory">): string | undefined {
  const profile = profileOf(environment);
  if (profile === undefined) return undefined;
  const directory = homeDirectory(environment, userDirectory);
  if (existsSync(directory)) return undefined;
  const profiles = dirname(directory);
  const known = existsSync(profiles) ? readdirSync(profiles) : [];
  const meant = nearWords(profile, known, guessesMax);
  const guess = meant.length === 0 ? "" : settingsTexts.guess(meant.join(" or "));
  return settingsTexts.newProfile(profile, directory, guess);
}
