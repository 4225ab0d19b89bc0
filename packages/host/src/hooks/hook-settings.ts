/** The settings of hooks: the hooks themselves, whether they run at all, and which addresses they may be sent to. */
import { flag, list, record, said, satisfies, text } from "../configuration/checks.ts";
import { allowed, ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

/** What is in a group is read when hooks are captured: one that is wrong costs itself, not the whole file. */
const groups = satisfies("a list", { type: "array" }, (value) => Array.isArray(value));

export const hookSettings: SettingDeclarations = {
  hooks: {
    check: said("Hooks by event: commands, HTTP requests and model questions.", record(groups)),
    project: allowed,
    counts: "at start",
    arrays: "united",
  },
  disableAllHooks: {
    check: said("Disable all hooks except managed ones.", flag, false),
    project: ignored("a project may not turn off your hooks"),
    counts: "at start",
  },
  allowedHttpHookUrls: {
    check: said("Allowed URLs for HTTP hooks; * matches any text. Default: all.", list(text)),
    project: ignored("a project may not choose where hooks send data"),
    counts: "at start",
  },
};
