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
  rule: "may ask and deny; once trusted, may also allow, but not nearly everything",
  tighten: (value) => ({ kept: value }),
};

export const permissionSettings: SettingDeclarations = {
  permission: {
    check: said("Permission rules by permission and pattern.", rules),
    project: narrowRules,
    counts: "on reload",
    arrays: "united",
  },
  permissions: {
    check: said("Permission rules as allow, ask and deny lists.", rules),
    project: narrowRules,
    counts: "on reload",
    arrays: "united",
  },
  permission_presets: {
    check: said("Predefined permission rules.", someOf(presetNames)),
    project: narrowRules,
    counts: "on reload",
    arrays: "united",
  },
  permissionMode: {
    check: said("Permission mode of new sessions.", oneOf(modesOfFiles), "default"),
    project: { kind: "tightens", rule: "may choose plan", tighten: strictestMode },
    counts: "at start",
  },
  continueOnReject: {
    check: said("Continue the run after a rejection without a message.", flag, false),
    project: ignored("only you decide what a rejection means"),
    counts: "at start",
  },
  permissionTimeoutSeconds: {
    check: said("Seconds until an unanswered question is rejected; default: never.", number({ min: 1, max: 604_800 })),
    project: ignored("only you decide how long kedge waits for you"),
    counts: "at start",
  },
  auto: {
    check: object({
      model: said("Model for auto mode; default: the session's model.", modelName),
      allow: said("What auto mode may allow, as sentences.", list(text), []),
      softDeny: said("What auto mode must ask about, as sentences.", list(text), []),
      environment: said("What auto mode should know about this environment, as sentences.", list(text), []),
    }),
    project: ignored("a project may not decide what runs without asking"),
    counts: "at start",
  },
  pressure: {
    check: object({
      enabled: said("Watch runs for signs of pressure.", flag, true),
      elevated: said("Score at which the level becomes elevated.", amount, 4),
      high: said("Score at which the level becomes high.", amount, 10),
    }),
    project: ignored("a project may not decide how closely it is watched"),
    counts: "at start",
  },
};

/** Planning is the only mode that is stricter than every other. */
function strictestMode(value: unknown): { kept: unknown; ignored?: string } {
  if (value === "plan") return { kept: value };
  return { kept: undefined, ignored: "a project may only choose plan mode" };
}
