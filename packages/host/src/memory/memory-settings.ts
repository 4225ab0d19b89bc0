/** The settings of memory: whether there is one, where it lies, and whether what nobody stated counts unasked. */
import { flag, object, said, text } from "../configuration/checks.ts";
import type { SettingDeclarations } from "../configuration/setting-declaration.ts";

export type MemorySettings = {
  readonly enabled: boolean;
  /** In kedge's own directory without it. */
  readonly directory?: string;
  /** What an agent concluded or a tool brought counts without the user having seen it. */
  readonly acceptInferred: boolean;
  /** Memory that trusted repositories bring is shown as well. */
  readonly team: boolean;
};

const usual = { enabled: true, acceptInferred: false, team: false } as const satisfies MemorySettings;

const because = "a project may only turn memory off";

export const memorySettings: SettingDeclarations = {
  memory: {
    check: object({
      enabled: said("Whether kedge remembers facts about this project between sessions.", flag, usual.enabled),
      directory: said("Where they are kept; in kedge's own directory without this.", text),
      acceptInferred: said(
        "Whether facts that you did not state yourself count without your review.",
        flag,
        usual.acceptInferred,
      ),
      team: said(
        "Whether memory that a trusted repository brings in .kedge/team-memory is shown as well.",
        flag,
        usual.team,
      ),
    }),
    project: {
      kind: "tightens",
      rule: "may only turn it off",
      tighten(value) {
        const { enabled, ...others } = (value ?? {}) as Partial<MemorySettings>;
        const isMore = enabled === true || value === null || Object.keys(others).length > 0;
        return { kept: enabled === false ? { enabled } : undefined, ...(isMore && { ignored: because }) };
      },
    },
    counts: "at start",
  },
};

/** Every value was checked when its file was read; `null` takes back what a weaker file set. */
export function readMemorySettings(value: unknown): MemorySettings {
  const given = Object.entries((value ?? {}) as object).filter(([, member]) => member !== null);
  return { ...usual, ...Object.fromEntries(given) };
}
