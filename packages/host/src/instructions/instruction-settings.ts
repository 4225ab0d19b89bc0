/** The settings of instruction files: which count beside the project's own, and how several for one place go together. */
import type { InstructionSettings as Choices } from "@kedge/memory/instructions";
import { isJsonObject } from "@kedge/protocol";
import { checkWith, flag, list, object, oneOf, problem, said } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type InstructionSettings = Omit<Choices, "disabledSources"> & {
  /** Texts that the user wants from the network. */
  readonly urls: readonly string[];
};

const shadowings = ["none", "per-depth"] as const;

const httpsAddress = checkWith(
  () => ({ type: "string", format: "uri" }),
  (value, path) => {
    const url = typeof value === "string" ? URL.parse(value) : null;
    const isFine = url?.protocol === "https:" && url.username === "" && url.password === "";
    return isFine ? [] : [problem(path, "an https address without a name and a password in it", value)];
  },
);

export const instructionSettings: SettingDeclarations = {
  instructions: {
    check: object({
      compat: said(
        "Whether files of other agents in your home directory count, such as ~/.claude/CLAUDE.md.",
        flag,
        true,
      ),
      shadowing: said(
        "Whether only the strongest of several files for one directory counts.",
        oneOf(shadowings),
        "none",
      ),
      walkPastRepo: said("Whether directories above the repository count, up to your home directory.", flag, false),
      urls: said("Texts from the network; each is pinned when you approve it.", list(httpsAddress), []),
    }),
    project: ignored("which instructions count is the user's choice"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readInstructionSettings(value: unknown): InstructionSettings {
  const given = (isJsonObject(value) ? value : {}) as Partial<InstructionSettings>;
  return {
    compat: given.compat ?? true,
    shadowing: given.shadowing ?? "none",
    walkPastRepo: given.walkPastRepo ?? false,
    urls: given.urls ?? [],
  };
}
