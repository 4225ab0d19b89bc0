/** Does what kedge asks of loaded code: runs a tool, a hook or a renderer. Whatever the code throws passes through. */
import type { Json, JsonObject } from "@kedge/protocol";
import type { Work } from "../code-messages.ts";
import type { FoundCode, FoundTool } from "./collect-exports.ts";
import { type ContextParts, createToolContext, type Reported } from "./tool-context.ts";
import { readToolResult } from "./tool-result.ts";

/** Parameters of a function that is called the long way: id, arguments, progress, context, signal. */
const longWay = 5;

export type WorkParts = Omit<ContextParts, "given">;

export async function doWork(work: Work, { tools, hooks }: FoundCode, parts: WorkParts): Promise<Json> {
  switch (work.kind) {
    case "workflow":
    case "function":
      throw new Error("it is not a workflow");
    case "tool":
      return runTool(knownTool(tools, work.tool), work, parts);
    case "hook": {
      const { input, output } = work;
      let answer: unknown;
      for (const hook of hooks.get(work.hook) ?? []) answer = (await hook(input, output)) ?? answer;
      const isObject = typeof answer === "object" && answer !== null;
      // What is no JSON is found when it is sent.
      return { output, ...(isObject && { answer: answer as Json }) };
    }
    case "action":
      return parts.actions.end(work.id, work.action, work.reason);
    case "render": {
      const { definition } = knownTool(tools, work.tool);
      const name = { call: "renderCall", result: "renderResult", approval: "formatApprovalDetails" }[work.what];
      const options = { expanded: true, isPartial: false, spinnerFrame: 0 };
      const render = methodOf(definition, name);
      const drawn =
        work.what === "result"
          ? await render(work.result, options, plainTheme, work.args)
          : await render(work.args, options, plainTheme);
      return textOf(drawn);
    }
  }
}

async function runTool(
  { definition, schema }: FoundTool,
  { args, context }: Extract<Work, { kind: "tool" }>,
  parts: WorkParts,
): Promise<JsonObject> {
  const checked = schema.check(args);
  const reported: Reported = {};
  const given = createToolContext({ ...parts, given: context }, reported);
  const execute = methodOf(definition, "execute");
  const isLong = (definition["execute"] as { readonly length: number }).length >= longWay;
  const onUpdate = (text: string) => parts.progress(text);
  const result = isLong
    ? await execute(context.callId, checked, onUpdate, given, parts.signal)
    : await execute(checked, given);
  const { pending } = reported;
  return {
    ...readToolResult(result, reported),
    ...(pending !== undefined && { pending: pending.map((each) => ({ ...each })) }),
  };
}

function knownTool(tools: FoundCode["tools"], name: string): FoundTool {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`the file no longer has a tool ${name}`);
  return tool;
}

function methodOf(definition: FoundTool["definition"], name: string): (...given: readonly unknown[]) => unknown {
  const method = definition[name];
  if (typeof method !== "function") throw new Error(`it has no ${name}`);
  return (...given) => Reflect.apply(method, definition, given);
}

/** Colours are kedge's own business: every name gives the text back. */
const plainTheme = new Proxy(
  {},
  {
    get: () => (first: unknown, second?: unknown) => String(second ?? first),
  },
);

function textOf(drawn: unknown): string {
  if (typeof drawn === "string") return drawn;
  if (Array.isArray(drawn)) return drawn.map(String).join("\n");
  throw new Error("a renderer must return a string or a list of lines");
}
