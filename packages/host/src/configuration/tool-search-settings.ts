/** The settings of tool search: when schemas of tools stay out of requests, and which models read references to them. */
import type { ToolSearchMode } from "@kedge/engine";
import { modelsWithoutReferences } from "@kedge/models";
import { list, number, object, oneOf, said, text } from "./checks.ts";
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";

export type ToolSearchSettings = {
  readonly mode: ToolSearchMode;
  readonly references: {
    readonly isOff: boolean;
    /** Also where another server stands in for the vendor: a variable says so. */
    readonly atAnyAddress: boolean;
    /** Parts of model ids. */
    readonly exceptModels: readonly string[];
  };
};

type Environment = { readonly [name: string]: string | undefined };

type Raw = {
  readonly mode?: "always" | "auto" | "off";
  readonly percent?: number;
  readonly withoutReferences?: readonly string[];
};

const percentDefault = 10;

export const toolSearchVariables = ["KEDGE_TOOL_SEARCH", "ENABLE_TOOL_SEARCH"] as const;

/** What is not of a vendor's stable interface is neither sent nor relied on. */
export const betasVariable = "KEDGE_DISABLE_EXPERIMENTAL_BETAS";

export const toolSearchSettings: SettingDeclarations = {
  toolSearch: {
    check: object({
      mode: said("When to defer tools until the model searches for them.", oneOf(["always", "auto", "off"]), "always"),
      percent: said("With auto: threshold as a share of the context.", number({ min: 1, max: 99 }), percentDefault),
      withoutReferences: said("Models, by part of their id, that get schemas instead of references.", list(text), [
        ...modelsWithoutReferences,
      ]),
    }),
    project: ignored("only you decide what requests contain"),
    counts: "at start",
  },
};

/** A variable that says nothing that counts is no variable. */
export function readToolSearchSettings(setting: unknown, environment: Environment): ToolSearchSettings {
  // Every value was checked when its file was read.
  const raw = (setting ?? {}) as Raw;
  const isOff = isSet(environment[betasVariable]);
  const chosen = toolSearchVariables.map((name) => readMode(environment[name])).find((mode) => mode !== undefined);
  const mode = isOff ? "off" : (chosen ?? modeOf(raw));
  return {
    mode,
    references: {
      isOff: mode === "off",
      atAnyAddress: chosen !== undefined,
      exceptModels: raw.withoutReferences ?? modelsWithoutReferences,
    },
  };
}

/** `true`, `false`, `auto` or `auto:N`, with N in percent. */
export function readMode(given: string | undefined): ToolSearchMode | undefined {
  const word = given?.trim().toLowerCase();
  if (word === "true" || word === "1") return "always";
  if (word === "false" || word === "0") return "off";
  const [, percent] = /^(?:tst-)?auto(?::(\d{1,3}))?$/.exec(word ?? "") ?? [undefined, undefined];
  if (word === "auto" || word === "tst-auto") return { windowPercent: percentDefault };
  if (percent === undefined || Number(percent) > 100) return undefined;
  if (Number(percent) === 0) return "always";
  return Number(percent) === 100 ? "off" : { windowPercent: Number(percent) };
}

function modeOf({ mode = "always", percent = percentDefault }: Raw): ToolSearchMode {
  return mode === "auto" ? { windowPercent: percent } : mode;
}

export function isSet(variable: string | undefined): boolean {
  return variable !== undefined && !["", "0", "false"].includes(variable.trim().toLowerCase());
}
