/** Runs the tool: the only phase with effects of the call. What it gives is redacted before anybody sees it. */
import type { HiddenFiles, Redactor, ToolContext, ToolOutput } from "@kedge/protocol";
import { hiddenFilesOf } from "../../permission/index.ts";
import { errorText, reportOf } from "../attempt.ts";
import { abortedText, type Call, type CallEnd, interrupted } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { redactJson } from "../text/redact-json.ts";

export function execute({ engine, steering }: Pick<CallServices, "engine" | "steering">): Phase {
  const { redact, resultRedactor } = engine;
  let hidden: HiddenFiles | undefined;

  function contextOf({ context, look }: Call): ToolContext {
    if (look === undefined) return context;
    hidden ??= hiddenFilesOf({ rules: engine.rules, ...engine.workspace });
    return { ...context, look: { ...look, hidden } };
  }

  function run(call: Call): Promise<ToolOutput> {
    const { tool, input } = call;
    const context = contextOf(call);
    if (!tool.interruptible) return tool.run(input, context);
    return steering.during(context.signal, (signal) => tool.run(input, { ...context, signal }));
  }

  return {
    takes: "open",
    async pass(waiting) {
      const call = { ...waiting, startedAt: engine.clock.now() };
      let end: CallEnd;
      let blocked: string | undefined;
      // Not by `attempt`, which is one promise more: the end of a read shall be on its way as soon as it is known.
      try {
        const result = await run(call);
        end = endOf(result, resultRedactor);
        blocked = call.look === undefined ? undefined : result.blocked;
      } catch (error) {
        end = { outcome: "failed", output: reportOf(error, redact) };
      }
      call.timings.mark("execute");
      // A call that finished its work is recorded as finished, even if the interruption came meanwhile.
      const isCut = call.origin.signal.aborted && end.outcome === "failed";
      if (isCut) return { ...call, end: { ...interrupted, ...partial(call, resultRedactor) } };
      return blocked === undefined ? { ...call, end } : { ...call, end, blocked: redact(blocked) };
    },
  };
}

function endOf(result: ToolOutput, { redact }: Redactor): CallEnd {
  if (typeof result?.output !== "string") throw new Error("The tool gave no output.");
  return {
    outcome: result.isError ? "failed" : "completed",
    output: result.isError ? errorText(result.output, redact) : redact(result.output),
    title: redact(result.title),
    ...metadataOf(result, redact),
    ...(result.media !== undefined && { media: result.media }),
  };
}

/** What is no JSON could not be stored, and with it the end of the call: the result counts without it. */
function metadataOf({ metadata }: ToolOutput, redact: Redactor["redact"]): Pick<CallEnd, "metadata"> {
  if (metadata === undefined) return {};
  try {
    return { metadata: redactJson(metadata, redact) };
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return {};
    throw error;
  }
}

function partial({ context }: Call, { redact }: Redactor): Partial<CallEnd> {
  const text = redact(context.sink.text());
  return text === "" ? {} : { output: `${abortedText}. Output until then:\n${text}` };
}
