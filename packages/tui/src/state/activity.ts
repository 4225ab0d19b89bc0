/** What the run is doing at the moment, told from the view events as they come. */
import type { PartView, ViewEvent } from "@kedge/protocol";
import type { Activity, ActivityKind, OpenRequest } from "./client-state.ts";

export function idleActivity(now: number): Activity {
  return { kind: "idle", since: now, lastSignAt: now, outputTokens: 0 };
}

const charactersPerToken = 4;

/** Tools that only look are told as reading. */
const readingTools: ReadonlySet<string> = new Set(["read", "grep", "glob", "list", "codesearch", "ast_grep"]);

export function activityAfter(activity: Activity, event: ViewEvent, now: number): Activity {
  switch (event.type) {
    case "session.status": {
      const { state, until, attempt, attemptsMax, reason } = event.status;
      if (state === "idle") return activity.kind === "idle" ? activity : idleActivity(now);
      if (state === "retry" && until !== undefined) {
        const details = {
          ...(attempt !== undefined && { attempt }),
          ...(attemptsMax !== undefined && { attemptsMax }),
          ...(reason !== undefined && { reason }),
        };
        return { ...begun(activity, now), kind: "retrying", retry: { until, ...details } };
      }
      // How long nothing came is counted here as well, so a word about it is no sign of life.
      if (event.stalledMs !== undefined) return activity;
      if (state === "waiting") return activity;
      return activity.kind === "idle" || activity.kind === "permission" || activity.kind === "question"
        ? sign(working(begun(activity, now)), now)
        : activity;
    }
    case "permission.asked":
      return { ...begun(activity, now), kind: "permission" };
    case "question.asked":
      return { ...begun(activity, now), kind: "question" };
    case "session.idle":
    case "session.error":
      return idleActivity(now);
    case "message.part.delta": {
      if (activity.kind === "idle") return activity;
      const outputTokens = activity.outputTokens + event.delta.length / charactersPerToken;
      return sign({ ...activity, outputTokens }, now);
    }
    case "message.part.updated":
      return sign(ofPart(activity, event.part), now);
    case "task.progress":
      return sign(activity, now);
    default:
      return activity;
  }
}

/** Whoever waits for the user waits, whatever else goes on beside it. */
export function heldActivity(activity: Activity, requests: readonly OpenRequest[]): Activity {
  const [first] = requests;
  if (first === undefined || activity.kind === "idle" || activity.kind === first.kind) return activity;
  return { ...activity, kind: first.kind };
}

/** A delta does not say of what: the part that it belongs to was told before. */
function ofPart(activity: Activity, part: PartView): Activity {
  if (activity.kind === "idle") return activity;
  switch (part.type) {
    case "reasoning":
      return as(activity, "thinking");
    case "text":
      return as(activity, "responding");
    case "step-start":
      return working(activity);
    case "tool":
      return ofCall(activity, part);
    default:
      return activity;
  }
}

function ofCall(activity: Activity, { callId, tool, state }: Extract<PartView, { type: "tool" }>): Activity {
  if (state.status === "pending") return as(activity, "responding");
  const others = (activity.calls ?? []).filter((call) => call.callId !== callId);
  const calls = state.status === "running" ? [...others, { callId, tool }] : others;
  return working({ ...activity, calls });
}

/** By the newest call that runs; without one the model has the word. */
function working({ calls = [], ...activity }: Activity): Activity {
  const newest = calls.at(-1);
  if (newest === undefined) return as(activity, "waiting");
  const kind = readingTools.has(newest.tool) ? "reading" : "running";
  return { ...as(activity, kind), tool: newest.tool, calls };
}

function as({ tool: _, retry: __, ...activity }: Activity, kind: ActivityKind): Activity {
  return { ...activity, kind };
}

function begun(activity: Activity, now: number): Activity {
  const { tool: _, retry: __, ...rest } = activity;
  return activity.kind === "idle" ? { ...rest, since: now, lastSignAt: now, outputTokens: 0 } : rest;
}

function sign(activity: Activity, now: number): Activity {
  return activity.kind === "idle" ? activity : { ...activity, lastSignAt: now };
}
