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
    return isFine ? [] : [problem(path, "an HTTPS URL without credentials", value)];
  },
);

export const instructionSettings: SettingDeclarations = {
  instructions: {
    check: object({
      compat: said(
        "Read instruction files of other agents in your home directory, such as ~/.claude/CLAUDE.md.",
        flag,
        true,
      ),
      shadowing: said("Use only the highest-priority file per directory.", oneOf(shadowings), "none"),
      walkPastRepo: said("Also read directories above the repository, up to your home directory.", flag, false),
      urls: said("URLs of remote instructions; each is pinned when you approve it.", list(httpsAddress), []),
    }),
    project: ignored("only you decide which instructions apply"),
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
