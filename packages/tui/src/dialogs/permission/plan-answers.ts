/** The answers to a finished plan, the same on every screen. */

import type { PermissionAnswer, PermissionMode, PermissionRequest } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import { planTexts } from "../../texts/permission-questions.ts";
import type { Choice } from "../choice/choice-menu.ts";
import { withBadge } from "./permission-answers.ts";

export type PlanAnswer = Pick<PermissionAnswer, "reply" | "message"> & {
  /** The mode to work in once planning has ended; the one before planning without it. */
  readonly mode?: PermissionMode;
};

/** With the name of the agent whose plan it is. */
export function planTitle({ agent }: Pick<PermissionRequest, "agent">): string {
  return withBadge(planTexts.title, agent);
}

/** A request is about a plan when the tool that ends planning asks; entering is an ordinary question. */
export function isPlanApproval({ tool, permission }: PermissionRequest): boolean {
  return tool === "plan_exit" && permission === "plan";
}

export type PlanAction = "accept" | "accept-edits" | "edit" | "reject" | "message";

export const changePlanQuestion = planTexts.askChanges;
export const editPlanQuestion = planTexts.askPlan;

const accepting: Choice<PlanAction> = { value: "accept", key: "y", label: planTexts.accept };
const rejecting: Choice<PlanAction> = { value: "reject", key: "n", label: planTexts.reject };
const messaging: Choice<PlanAction> = { value: "message", key: "m", label: planTexts.rejectWithMessage };
const choicesOfPlan: readonly Choice<PlanAction>[] = [
  accepting,
  { value: "accept-edits", key: "a", label: planTexts.acceptEdits },
  { value: "edit", key: "e", label: planTexts.edit },
  rejecting,
  messaging,
];

/** The safe answer comes first where there is nothing to judge. The plan of an agent changes no mode of the session. */
export function planChoices(plan: string, { agent }: Pick<PermissionRequest, "agent">): readonly Choice<PlanAction>[] {
  if (plan === "") return [rejecting, messaging, accepting];
  return agent === undefined ? choicesOfPlan : choicesOfPlan.filter(({ value }) => value !== "accept-edits");
}

export function missingPlan(request: PermissionRequest): string {
  return planTexts.missing(planPath(request));
}

/** The tool names the file behind the word of what it does. */
export function planPath({ patterns }: PermissionRequest): string {
  return cleanLine(patterns[0] ?? "").replace(/^exit /, "") || planTexts.planFile;
}

export function editedPlanMessage(request: PermissionRequest, text: string): string {
  return planTexts.edited({ path: planPath(request), plan: text });
}
