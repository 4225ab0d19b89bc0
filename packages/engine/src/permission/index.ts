/** Permission judgement: who may do what, decided without asking anybody or touching anything. */
export { allowedByDefault, builtinLevel } from "./defaults.ts";
export { type AllowVerdict, type AskVerdict, type DenyVerdict, judge, type Verdict } from "./judge.ts";
export { canonicalPermission } from "./names.ts";
export { parsePermissionRules, parseRuleArgument, type RuleArgumentParsed, type RulesParsed } from "./rule-forms.ts";
export type { SourcedRule } from "./sources.ts";
export type { JudgeCall, JudgeContext } from "./subjects.ts";
export { denialText, headlessText, rejectionText } from "./texts.ts";
export { isToolAllowed, isToolDenied } from "./whole-tool.ts";
