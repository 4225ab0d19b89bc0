/** The table of omp's settings: what kedge calls them, and what became of old names. */

import { nameTable } from "../name-table.ts";

export type OmpSetting = { readonly key: string; readonly value: unknown };

/** Old names first become new ones. */
const oldNames = nameTable({
  queueMode: "steeringMode",
  "memories.enabled": "memory.enabled",
});

/** Groups whose settings have the same names in kedge, for as far as kedge has them. */
const sameGroups: readonly string[] = [
  ...["theme", "compaction", "branchSummary", "bash", "edit", "eval", "python", "browser", "github", "checkpoint"],
  ...["collab", "share", "skills", "titles", "contextPromotion", "snapcompact", "unexpectedStop", "memory"],
];

const sameNames: readonly string[] = [
  "symbolPreset",
  "colorBlindMode",
  "disabledProviders",
  "enabledModels",
  "steeringMode",
  "followUpMode",
];

const otherNames = nameTable({
  defaultThinkingLevel: "thinking.effort",
  "modelRoles.default": "model",
  "async.enabled": "jobs.enabled",
  "task.maxConcurrency": "agents.maxParallel",
  "debug.enabled": "debug.enabled",
});

const otherGroups = nameTable({ bashInterceptor: "bash.interceptor" });

const efforts = nameTable({ xhigh: "max" });

/** Undefined for what kedge has nothing for. Whether kedge has the setting by now is found out when the plan is made. */
export function ompSetting(theirs: string, value: unknown): OmpSetting | undefined {
  const name = oldNames.get(theirs) ?? theirs;
  const key = ourName(name);
  if (key === undefined) return undefined;
  const isEffort = key === "thinking.effort" && typeof value === "string";
  return { key, value: isEffort ? (efforts.get(value) ?? value) : value };
}

function ourName(name: string): string | undefined {
  const other = otherNames.get(name);
  if (other !== undefined) return other;
  const [group = "", ...rest] = name.split(".");
  if (rest.length === 0) return sameNames.includes(name) ? name : undefined;
  const ours = otherGroups.get(group);
  if (ours !== undefined) return [ours, ...rest].join(".");
  return sameGroups.includes(group) ? name : undefined;
}
