/** Skills: told to the model by name, loaded when it wants one, woken and found by the files it works on. */

export { bundledSkills, isBundledName } from "./bundled-skills.ts";
export { createSessionSkills, type SessionSkills } from "./session-skills.ts";
export { broughtBy, instructsOnly, skillOf } from "./skill.ts";
export { createSkillSources } from "./skill-sources.ts";
export { createSkillTool, type ForkSkill, type SkillTask } from "./skill-tool.ts";
