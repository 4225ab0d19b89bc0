/** The settings about permission: rules, the mode, who answers in auto mode, and how closely work is watched. */
import { presetNames } from "@kedge/engine";
import { permissionModes } from "@kedge/protocol";
import { amount, flag, list, modelName, number, object, oneOf, said, satisfies, someOf, text } from "./checks.ts";
import { ignored, type ProjectRight, type SettingDeclarations } from "./setting-declaration.ts";

/** Bypass is chosen for one start, on the command line, and never left behind in a file. */
const modesOfFiles: readonly string[] = permissionModes.filter((mode) => mode !== "bypass");

/** Rules are parsed by the engine; here only the outer form is checked. */
const rules = satisfies(
  "an object, an action or a list",
  { anyOf: [{ type: "object" }, { type: "string", enum: ["allow", "ask", "deny"] }, { type: "array" }] },
  (value) => typeof value === "object" || typeof value === "string",
);

/** What is kept of its rules is decided rule by rule, once they are parsed. */
const narrowRules: ProjectRight = {
  kind: "tightens",
  rule: "may ask and deny; once trusted also allow, but never nearly everything",
  tighten: (value) => ({ kept: value }),
};

export const permissionSettings: SettingDeclarations = {
  permission: {
    check: said("Rules, by permission and pattern.", rules),
    project: narrowRules,
    counts: "on reload",
    arrays: "united",
  },
  permissions: {
    check: said("Rules, as lists to allow, ask and deny.", rules),
    project: narrowRules,
    counts: "on reload",
    arrays: "united",
  },
  permission_presets: {
    check: said("Ready-made rules.", someOf(presetNames)),
    project: narrowRules,
    counts: "on reload",
    arrays: "united",
  },
  permissionMode: {
    check: said("The mode in which sessions begin.", oneOf(modesOfFiles), "default"),
    project: { kind: "tightens", rule: "may choose plan", tighten: strictestMode },
    counts: "at start",
  },
  continueOnReject: {
    check: said("Whether a run goes on after a plain no.", flag, false),
    project: ignored("what a no of the user means is the user's choice"),
    counts: "at start",
  },
  permissionTimeoutSeconds: {
    check: said(
      "After how long an unanswered question counts as a no; never without it.",
      number({ min: 1, max: 604_800 }),
    ),
    project: ignored("how long you are waited for is your choice"),
    counts: "at start",
  },
  auto: {
    check: object({
      model: said("The model that answers in auto mode; that of the session without it.", modelName),
      allow: said("Sentences: what may pass.", list(text), []),
      softDeny: said("Sentences: what must be asked.", list(text), []),
      environment: said("Sentences: what it should know of this place.", list(text), []),
    }),
    project: ignored("a project may not say what runs unasked"),
    counts: "at start",
  },
  pressure: {
    check: object({
      enabled: said("Whether runs are watched for pressure.", flag, true),
      elevated: said("The score at which the level elevated begins.", amount, 4),
      high: said("The score at which the level high begins.", amount, 10),
    }),
    project: ignored("a project may not say how closely its work is watched"),
    counts: "at start",
  },
};

/** Planning is the only mode that is stricter than every other. */
function strictestMode(value: unknown): { kept: unknown; ignored?: string } {
  if (value === "plan") return { kept: value };
  return { kept: undefined, ignored: "a project may only choose the mode plan" };
}
