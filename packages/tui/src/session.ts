/** What every screen of a session is made of, without how it is drawn: its state, what can be done in it, and the words. */

export { createModeCycle } from "./app/input/mode-cycle.ts";
export { createNotices, type TellNotice } from "./app/notices.ts";
export { createSessionDesk, type SessionDesk, type Submission } from "./app/session/session-desk.ts";
export { createEventTelling } from "./app/session/tell-events.ts";
export { createAgentWatch } from "./app/session/watch-agents.ts";
export { createPlaceWatch } from "./app/session/watch-place.ts";
export { changesText, failureText, watchText } from "./app/told-texts.ts";
export type { CommandContext, DialogName } from "./commands/command-context.ts";
export { slashCommands } from "./commands/command-table.ts";
export { type CompletionSource, createCompletionSource } from "./commands/completion-source.ts";
export { rank } from "./commands/rank.ts";
export { runCommandLine } from "./commands/run-command-line.ts";
export type { Choice } from "./dialogs/choice/choice-menu.ts";
export { type CommandInput, commandInput } from "./dialogs/permission/command-input.ts";
export { modeMeanings, offeredModes } from "./dialogs/permission/mode-meanings.ts";
export { patchInPreview } from "./dialogs/permission/patch-in-preview.ts";
export {
  confirmedActions,
  editQuestion,
  insteadQuestion,
  isLasting,
  judgedTexts,
  type PermissionAction,
  permissionChoices,
  permissionTitle,
  resolutionSentence,
} from "./dialogs/permission/permission-answers.ts";
export {
  changePlanQuestion,
  editedPlanMessage,
  editPlanQuestion,
  isPlanApproval,
  missingPlan,
  type PlanAction,
  planChoices,
  planPath,
  planTitle,
} from "./dialogs/permission/plan-answers.ts";
export { rewindPointsOf } from "./dialogs/session/rewind-points.ts";
export { type SessionFamily, sessionFamilies, stateWords } from "./dialogs/session/session-families.ts";
export { type TreeRow, treeRowsOf } from "./dialogs/session/tree-rows.ts";
export { ageText } from "./dialogs/text/age-text.ts";
export {
  type CompletionItem,
  type CompletionQuestion,
  completedText,
  completionQuestion,
} from "./prompt/completion-question.ts";
export { cleanLine, judgedLine, judgedText } from "./screen/clean-text.ts";
export { idleActivity } from "./state/activity.ts";
export type {
  Activity,
  ClientState,
  Notice,
  OpenRequest,
  ToolTail,
} from "./state/client-state.ts";
export { createRereading } from "./state/rereading.ts";
export { createSessionMirror, requestIdOf, type SessionMirror } from "./state/session-mirror.ts";
export { createStateStore, type StateStore } from "./state/state-store.ts";
export { activityWords, isSilent } from "./status/activity-words.ts";
export { changedFiles } from "./status/changed-files.ts";
export { countText, durationText, moneyText } from "./status/short-figures.ts";
