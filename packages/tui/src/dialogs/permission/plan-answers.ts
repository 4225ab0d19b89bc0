/** The answers to a finished plan, the same on every screen. */
import type { PermissionAnswer, PermissionMode, PermissionRequest } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import type { Choice } from "../choice/choice-menu.ts";
import { withBadge } from "./permission-answers.ts";

export type PlanAnswer = Pick<PermissionAnswer, "reply" | "message"> & {
  /** The mode to work in once planning has ended; the one before planning without it. */
  readonly mode?: PermissionMode;
};

/** With the name of the agent whose plan it is. */
export function planTitle({ agent }: Pick<PermissionRequest, "agent">): string {
  return withBadge("Plan", agent);
}

/** A request is about a plan when the tool that ends planning asks; entering is an ordinary question. */
export function isPlanApproval({ tool, permission }: PermissionRequest): boolean {
  return tool === "plan_exit" && permission === "plan";
}

export type PlanAction = "accept" | "accept-edits" | "edit" | "reject" | "message";

export const changePlanQuestion = "What should change in the plan?";
export const editPlanQuestion = "Edit the plan. The model will present it again:";

const accepting: Choice<PlanAction> = { value: "accept", key: "y", label: "Accept and return to the previous mode" };
const rejecting: Choice<PlanAction> = { value: "reject", key: "n", label: "Reject" };
const messaging: Choice<PlanAction> = { value: "message", key: "m", label: "Reject with feedback" };
const choicesOfPlan: readonly Choice<PlanAction>[] = [
  accepting,
  { value: "accept-edits", key: "a", label: "Accept and allow all edits (accept-edits mode)" },
  { value: "edit", key: "e", label: "Edit plan" },
  rejecting,
  messaging,
];

/** The safe answer comes first where there is nothing to judge. The plan of an agent changes no mode of the session. */
export function planChoices(plan: string, { agent }: Pick<PermissionRequest, "agent">): readonly Choice<PlanAction>[] {
  if (plan === "") return [rejecting, messaging, accepting];
  return agent === undefined ? choicesOfPlan : choicesOfPlan.filter(({ value }) => value !== "accept-edits");
}

export function missingPlan(request: PermissionRequest): string {
  return `The plan could not be displayed. Read ${planPath(request)} before accepting it.`;
}

/** The tool names the file behind the word of what it does. */
export function planPath({ patterns }: PermissionRequest): string {
  return cleanLine(patterns[0] ?? "").replace(/^exit /, "") || "the plan file";
}

export function editedPlanMessage(request: PermissionRequest, text: string): string {
  return `I edited the plan. Write this text to ${planPath(request)} unchanged and present it again:\n\n${text}`;
}
