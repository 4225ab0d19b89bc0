/** What the run is doing at the moment, told from the view events as they come. */
import type { PartView, ViewEvent } from "@kedge/protocol";
import type { Activity, ActivityKind } from "./client-state.ts";

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
        ? sign({ ...begun(activity, now), kind: "waiting" }, now)
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

/** A delta does not say of what: the part that it belongs to was told before. */
function ofPart(activity: Activity, part: PartView): Activity {
  if (activity.kind === "idle") return activity;
  switch (part.type) {
    case "reasoning":
      return as(activity, "thinking");
    case "text":
      return as(activity, "responding");
    case "tool":
      if (part.state.status === "pending") return as(activity, "responding");
      if (part.state.status === "running") {
        return { ...as(activity, readingTools.has(part.tool) ? "reading" : "running"), tool: part.tool };
      }
      return as(activity, "waiting");
    default:
      return activity;
  }
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
