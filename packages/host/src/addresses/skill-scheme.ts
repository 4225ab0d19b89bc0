/** `skill://name` is the text of a skill, `skill://name/file` a file that lies beside it. */
import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { Definition, FoundDefinitions } from "@kedge/extend/definitions";
import { skillOf } from "@kedge/extend/skills";
import type { OwnScheme } from "./scheme.ts";

export type SkillParts = {
  readonly findSkills: () => Promise<FoundDefinitions>;
  /** Undefined for what is no text or may not be read unasked: a skill opens no file that is closed. */
  readonly readFile: (path: string) => string | undefined;
};

export function skillScheme({ findSkills, readFile }: SkillParts): OwnScheme {
  /** Those that the model may use by itself. */
  const skills = async () => (await findSkills()).used.map(skillOf).filter(({ isForModel }) => isForModel);
  return {
    isForeign: false,
    list: async () => (await skills()).map(({ name, summary }) => ({ name, about: summary })),
    async text(wanted) {
      const slash = wanted.indexOf("/");
      const name = slash === -1 ? wanted : wanted.slice(0, slash);
      const skill = (await skills()).find((each) => each.name === name);
      if (skill === undefined) return undefined;
      return slash === -1 ? skill.definition.body : fileBeside(skill.definition, wanted.slice(slash + 1), readFile);
    },
  };
}

/** Nothing that a link or a step upwards leads to. */
function fileBeside(
  { directory, file }: Definition,
  name: string,
  readFile: SkillParts["readFile"],
): string | undefined {
  if (file.startsWith("skill://")) return undefined;
  let path: string;
  try {
    path = realpathSync(join(directory, name));
  } catch {
    return undefined;
  }
  return path.startsWith(directory + sep) ? readFile(path) : undefined;
}
