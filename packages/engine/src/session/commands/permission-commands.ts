/** Handlers of the commands that answer what a session asks, and decide what it may do unasked. */
import { refused } from "@kedge/protocol";
import { planningRefusal, switchedOff } from "../../call/asking/mode-in-force.ts";
import type { CommandHandlers } from "./command-handler.ts";

export const permissionCommands: CommandHandlers<
  "permission.answer" | "question.answer" | "mode.change" | "grants.replace"
> = {
  async "permission.answer"({ questions }, { type: _, sessionId: __, requestId, ...answer }) {
    const failure = await questions.answer(requestId, answer);
    return failure === undefined ? { ok: true, value: {} } : { ok: false, failure };
  },
  async "question.answer"({ dialogue }, { requestId, answers }) {
    const failure = await dialogue.answer(requestId, answers);
    return failure === undefined ? { ok: true, value: {} } : { ok: false, failure };
  },
  async "mode.change"({ engine, journal }, { mode }) {
    if (engine.policy?.disabledModes.includes(mode)) return switchedOff(mode, engine.policy);
    const refusal = planningRefusal(mode, engine);
    if (refusal !== undefined) return refusal;
    await journal.emit({ type: "mode.changed", mode });
    return { ok: true, value: {} };
  },
  async "grants.replace"({ engine, journal }, { grants }) {
    if (engine.policy?.managedRulesOnly === true) {
      return refused("This machine's managed policy does not allow additional rules.");
    }
    await journal.emit({ type: "grants.replaced", grants, boot: engine.holder.boot });
    return { ok: true, value: {} };
  },
};
