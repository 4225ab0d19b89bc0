/** Asks a person whether to run normally what looked where it cannot act and was held back there. */
import { isSameJson } from "@kedge/protocol";
import { blockedLookText, exactly } from "../../permission/index.ts";
import { modeInForce } from "../asking/mode-in-force.ts";
import { openGates, questionOf } from "../asking/raise-verdict.ts";
import type { SettleQuestion } from "../asking/settle-question.ts";
import { type Call, failed } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { apply } from "./ask.ts";

export type AskToRunParts = {
  readonly settle: SettleQuestion;
  /** Takes a call that was permitted, or rewritten, from here to its end. */
  readonly run: (call: Call) => Call | Promise<Call>;
};

const movedText =
  "The working directory changed while this command waited for permission, so it did not run. Make the call again.";

/** Nothing that the look printed answers the question; it only decides whether there is one. */
export function askToRun(services: CallServices, { settle, run }: AskToRunParts): Phase {
  async function askAbout(call: Call, blocked: string): Promise<Call> {
    const question = questionAbout(call, blocked);
    // Without anybody to ask, and while planning, the result of the look is what there is.
    if (!services.engine.interactive || modeInForce(services) === "plan")
      return withText(call, blockedLookText(question, blocked));
    const permitted = await settle(call, question, openGates);
    const { end: _, look: __, ...open } = call;
    const settled = apply({ ...open, context: call.newContext() }, permitted);
    if (settled.end !== undefined) return settled;
    // What looks may run beside other calls; this may act.
    await call.origin.alone();
    const { blocked: ___, ...fresh } = settled;
    if (settled.edit === undefined && settled.changes === undefined && !isAsAsked(call))
      return failed(fresh, movedText);
    return run({ ...fresh, readOnly: false });
  }

  /** Calls beside it may have moved the shell to another directory meanwhile. */
  function isAsAsked({ tool, input, needs }: Call): boolean {
    return isSameJson([...tool.needs(input, services.engine.workspace.cwd)], [...needs]);
  }

  return {
    takes: "ended",
    pass: (call) => (call.blocked === undefined ? call : askAbout(call, call.blocked)),
  };
}

/** An answer that lasts is for this text alone: it says nothing about others that would be held back. */
function questionAbout(call: Call, blocked: string) {
  const { tool, needs } = call;
  const question = questionOf(
    { tool: tool.name, needs },
    `it could not run in the read-only sandbox: ${blocked}. Run it normally?`,
  );
  const grants = needs.flatMap(({ permission, always }) =>
    always.flatMap(exactly).map((pattern) => ({ permission, pattern, action: "allow" as const })),
  );
  return { ...question, always: grants.map(({ pattern }) => pattern), grants };
}

function withText(call: Call, text: string): Call {
  const { end } = call;
  if (end === undefined) return call;
  const gap = end.output === "" || end.output.endsWith("\n") ? "" : "\n";
  return { ...call, end: { ...end, output: `${end.output}${gap}${text}` } };
}
