/** The part of the fold that says what holds for the whole session: place, model, mode, title, grants. */
import type { PermissionMode } from "../permission.ts";
import type { FactOf } from "./facts.ts";
import { addBackground } from "./fold-spending.ts";
import { keepUnfinished } from "./fold-undo.ts";
import type { SessionState } from "./session-state.ts";

/** The way out of planning, which every request carries from the first planning on. */
const planExitTool = "plan_exit";

type SessionFact = FactOf<
  | "session.created"
  | "session.updated"
  | "session.resumed"
  | "model.changed"
  | "mode.changed"
  | "grants.replaced"
  | "style.changed"
>;

export function applyToSession(state: SessionState, fact: SessionFact): void {
  switch (fact.type) {
    case "session.created":
      begin(state, fact);
      return;
    case "session.updated":
      update(state, fact);
      return;
    case "session.resumed":
      resume(state, fact);
      return;
    case "model.changed":
      state.model = fact.model;
      return;
    case "mode.changed":
      if (fact.mode === "plan" && state.mode !== "plan") state.modeBeforePlan = state.mode;
      enterMode(state, fact.mode);
      return;
    case "grants.replaced":
      state.grants = [...fact.grants];
      return;
    case "style.changed":
      state.style = fact.style;
      state.brevity = fact.brevity;
      return;
  }
}

function begin(state: SessionState, fact: FactOf<"session.created">): void {
  state.directory = fact.directory;
  state.projectId = fact.projectId;
  state.model = fact.model;
  enterMode(state, fact.mode);
  state.boot = fact.boot;
  state.origin = fact.origin;
  state.budget = fact.budget;
}

function update(state: SessionState, fact: FactOf<"session.updated">): void {
  if (fact.title !== undefined) {
    state.title = fact.title;
    state.titleSource = fact.titleSource ?? "user";
  }
  const { summary, summaryLeaf } = fact;
  if (summary !== undefined && summaryLeaf !== undefined) state.workSummary = { text: summary, leaf: summaryLeaf };
  state.isArchived = fact.isArchived ?? state.isArchived;
  addBackground(state, fact);
}

function resume(state: SessionState, fact: FactOf<"session.resumed">): void {
  state.boot = fact.boot;
  enterMode(state, fact.mode);
  // Nor does the end of planning bring back what must be chosen again.
  if (!isKeptMode(state.modeBeforePlan)) state.modeBeforePlan = "default";
  state.grants = [];
  state.questions.clear();
  state.permissionRequests.clear();
  keepUnfinished(state);
}

function enterMode(state: SessionState, mode: PermissionMode): void {
  state.mode = mode;
  if (mode === "plan") state.foundTools.add(planExitTool);
}

/** Modes that ask nobody hold for the process in which they were chosen. */
export function isKeptMode(mode: PermissionMode): boolean {
  return mode !== "bypass" && mode !== "auto";
}
