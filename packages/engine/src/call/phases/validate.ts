/** Has the tool look whether the call can work at all. */
import { attempt } from "../attempt.ts";
import { type Call, failed } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function validate({ engine }: Pick<CallServices, "engine">): Phase {
  async function look(call: Call): Promise<Call> {
    const objection = await attempt(async () => call.tool.validate?.(call.input, call.context), engine.redact);
    call.timings.mark("validate");
    if (!objection.ok) return failed(call, objection.report);
    return objection.value === undefined ? call : failed(call, engine.redact(objection.value));
  }
  return { takes: "open", pass: (call) => (call.tool.validate === undefined ? call : look(call)) };
}
