/** Permission judgement: who may do what, decided without asking anybody or touching anything. */
export { allowedByDefault, builtinLevel, changesNothing } from "./defaults.ts";
export { type CallExplanation, type ExplainedPart, explainCall } from "./explain-call.ts";
export { exactly } from "./glob.ts";
export { hiddenFilesOf } from "./hidden-files.ts";
export {
  type AllowedLook,
  type AllowVerdict,
  type AskVerdict,
  type DenyVerdict,
  judge,
  type Verdict,
} from "./judge.ts";
export { type Leader, leadersOf, narrowerMode } from "./leader.ts";
export { canonicalPermission, displayName, namesPermission } from "./names.ts";
export { isOverBroad } from "./over-broad.ts";
export { presetNames, presetRules } from "./presets.ts";
export { createReadRights, type ReadRightsParts } from "./read-rights.ts";
export { parsePermissionRules, parseRuleArgument, type RuleArgumentParsed, type RulesParsed } from "./rule-forms.ts";
export { isForbiddenFile, isSecretFile } from "./secret-files.ts";
export { wordsOf } from "./shell-text.ts";
export type { SourcedRule } from "./sources.ts";
export type { JudgeCall, JudgeContext } from "./subject.ts";
export { allowFlags, blockedLookText, denialText, headlessText, rejectionText } from "./texts.ts";
export { isToolAllowed, isToolDenied } from "./whole-tool.ts";
