/** Binds an answer to what it was given for: marks what a call would touch and run, and looks again once it is answered. */
import { relative } from "node:path";
import type { Need } from "@kedge/protocol";
import type { WantedMark } from "../../gates/index.ts";
import { plainText } from "../../gates/plain-text.ts";
import type { AskVerdict, DenyVerdict } from "../../permission/index.ts";
import type { Call } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { CallJudge } from "./call-judge.ts";

export type Rechecked =
  | { readonly outcome: "same" }
  /** Sentences for a person, without their full stops. */
  | { readonly outcome: "changed"; readonly changes: readonly string[] }
  | { readonly outcome: "denied"; readonly verdict: DenyVerdict };

export interface BoundAnswer {
  /** After the answer and before the call runs. */
  recheck(): Promise<Rechecked>;
}

/** Asked for before anybody sees the question. A promise only where the machine has to be looked at. */
export type BindAnswer = (call: Call, shown: AskVerdict) => BoundAnswer | Promise<BoundAnswer>;

const changesMax = 5;

type Marked = { readonly wanted: readonly WantedMark[]; readonly before: readonly string[] };

export function createBindAnswer({ engine }: Pick<CallServices, "engine">, { verdictOn }: CallJudge): BindAnswer {
  const { machine, workspace } = engine;

  function nameOf(path: string): string {
    const inside = relative(workspace.cwd, path);
    if (inside === "") return "the working directory";
    return plainText(engine.redact(inside.startsWith("..") ? path : inside));
  }

  /** The needs anew, because a tool may look at the world for them. */
  function verdictNow(call: Call) {
    return verdictOn({ ...call, needs: [...call.tool.needs(call.input, workspace.cwd)] });
  }

  async function markPaths(call: Call, shown: AskVerdict): Promise<BoundAnswer> {
    // Only a question about files or commands needs it, and most runs have none.
    const { boundPaths } = await import("./bound-paths.ts");
    const wanted = boundPaths(call.needs, workspace);
    return boundTo(call, shown, { wanted, before: await machine.mark(wanted) });
  }

  function boundTo(call: Call, shown: AskVerdict, { wanted, before }: Marked): BoundAnswer {
    return {
      async recheck() {
        const after = wanted.length === 0 ? [] : await machine.mark(wanted);
        const verdict = verdictNow(call);
        if (verdict.verdict === "deny") return { outcome: "denied", verdict };
        const changed = wanted.filter((_, index) => before[index] !== after[index]);
        const changes = changed.slice(0, changesMax).map(({ path }) => `${nameOf(path)} changed while you were asked`);
        if (verdict.verdict === "ask" && !isCoveredBy(shown, verdict)) changes.push(`by now ${verdict.reason}`);
        return changes.length === 0 ? { outcome: "same" } : { outcome: "changed", changes };
      },
    };
  }

  return (call, shown) =>
    call.needs.some(isOfThisMachine) ? markPaths(call, shown) : boundTo(call, shown, { wanted: [], before: [] });
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
