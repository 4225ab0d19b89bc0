/** Binds an answer to what it was given for: marks what a call would touch and run, and looks again once it is answered. */
import { relative } from "node:path";
import type { Need } from "@kedge/protocol";
import type { WantedMark } from "../../gates/index.ts";
import { plainText } from "../../gates/plain-text.ts";
import type { AskVerdict, DenyVerdict } from "../../permission/index.ts";
import { type Attempt, attempt } from "../attempt.ts";
import type { Call } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { CallJudge } from "./call-judge.ts";
import { denied, unbound } from "./permitted.ts";
import type { SettleQuestion } from "./settle-question.ts";

const changesMax = 5;

type Marked = { readonly wanted: readonly WantedMark[]; readonly marks: readonly string[] };

const unmarked: Attempt<Marked> = { ok: true, value: { wanted: [], marks: [] } };

type Rechecked = { readonly denied?: DenyVerdict; readonly changes: readonly string[] };

type Binding = {
  readonly services: Pick<CallServices, "engine">;
  readonly judge: CallJudge;
};

/** Settles questions as before; but an answer counts only for what was there when it was asked for. */
export function bindAnswers(settle: SettleQuestion, { services, judge }: Binding): SettleQuestion {
  const { engine } = services;
  const { machine, workspace } = engine;

  function nameOf(path: string): string {
    const inside = relative(workspace.cwd, path);
    if (inside === "") return "the working directory";
    return plainText(engine.redact(inside.startsWith("..") ? path : inside));
  }

  async function markPaths({ needs }: Call): Promise<Marked> {
    // Only a question about files or commands needs it, and most runs have none.
    const { boundPaths } = await import("./bound-paths.ts");
    const wanted = boundPaths(needs, workspace);
    return { wanted, marks: await machine.mark(wanted) };
  }

  /** The needs again, because a tool may look at the world for them. */
  async function recheck(call: Call, shown: AskVerdict, { wanted, marks }: Marked): Promise<Rechecked> {
    const now = wanted.length === 0 ? [] : await machine.mark(wanted);
    const verdict = judge.verdictOn({ ...call, needs: [...call.tool.needs(call.input, workspace.cwd)] });
    if (verdict.verdict === "deny") return { denied: verdict, changes: [] };
    const changed = wanted.filter((_, index) => marks[index] !== now[index]).slice(0, changesMax);
    const changes = changed.map(({ path }) => `${nameOf(path)} changed while this question was open`);
    if (verdict.verdict === "ask" && !isCoveredBy(shown, verdict)) changes.push(`${verdict.reason}`);
    return { changes };
  }

  return async (call, verdict, gated) => {
    // No await where there is nothing to mark: the question is then asked while the answer still arrives.
    const marked = call.needs.some(isOfThisMachine) ? await attempt(() => markPaths(call), engine.redact) : unmarked;
    if (!marked.ok) return unbound(marked.report);
    const permitted = await settle(call, verdict, gated);
    if (permitted.outcome !== "allowed" && permitted.outcome !== "edited") return permitted;
    const checked = await attempt(() => recheck(call, verdict, marked.value), engine.redact);
    if (!checked.ok) return unbound(checked.report);
    const { denied: denial, changes } = checked.value;
    if (denial !== undefined) return denied(denial);
    if (changes.length === 0) return permitted;
    return permitted.outcome === "edited" ? { ...permitted, changes } : { outcome: "changed", changes };
  };
}

function isOfThisMachine({ access, paths = [] }: Need): boolean {
  return paths.length > 0 || access === "execute" || access === "outward";
}

/** Nothing is asked by now that was not asked then. */
function isCoveredBy(shown: AskVerdict, now: AskVerdict): boolean {
  const isShown = ({ permission, pattern }: AskVerdict["unanswered"][number]) =>
    shown.unanswered.some((known) => known.permission === permission && known.pattern === pattern);
  return (
    now.unanswered.every(isShown) &&
    now.outward.every((command) => shown.outward.includes(command)) &&
    (shown.isGuarded || !now.isGuarded)
  );
}
