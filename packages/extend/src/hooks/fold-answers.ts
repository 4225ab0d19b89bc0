/** What the answers of all hooks of one event come to together: one no blocks, then one question, then one yes. */
import type { Answered, Fired } from "./hook-set.ts";

export type Folded = {
  readonly decision?: "deny" | "ask" | "allow";
  /** Of everybody who decided like this. */
  readonly reason: string;
  /** The names of the hooks behind the decision. */
  readonly by: string;
  readonly context: readonly { readonly by: string; readonly text: string }[];
  readonly stop?: string;
};

export function foldAnswers({ answers, failures }: Fired): Folded {
  const refusals = [
    ...answers
      .filter(({ answer }) => answer.decision === "deny")
      .map(({ hook, answer }) => said(hook.name, answer.reason)),
    ...failures
      .filter(({ isBlocking }) => isBlocking)
      .map(({ hook, problem }) => said(hook.name, `the hook failed: ${problem}`)),
  ];
  const context = answers.flatMap(({ hook, answer }) =>
    answer.context === undefined ? [] : [{ by: hook.name, text: answer.context }],
  );
  const stop = answers.find(({ answer }) => answer.stop !== undefined)?.answer.stop;
  const rest = { context, ...(stop !== undefined && { stop }) };
  if (refusals.length > 0) return { decision: "deny", ...together(refusals), ...rest };
  for (const decision of ["ask", "allow"] as const) {
    const found = answers.filter(({ answer }) => answer.decision === decision);
    if (found.length > 0) return { decision, ...together(found.map(reasonOf)), ...rest };
  }
  return { reason: "", by: "", ...rest };
}

type Said = { readonly by: string; readonly reason: string };

function said(name: string, reason = "no reason given"): Said {
  return { by: `hook ${name}`, reason };
}

function reasonOf({ hook, answer }: Answered): Said {
  return said(hook.name, answer.reason);
}

/** One speaks for itself; of several each is named with its reason. */
function together(all: readonly Said[]): Said {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  return { by: `${all.length} hooks`, reason: all.map(({ by, reason }) => `${by}: ${reason}`).join("\n") };
}

/** What a hook adds to the context, with its name. */
export function asLine({ by, text }: Folded["context"][number]): string {
  return `[${by}]\n${text}`;
}
