/** A tool of a server as a tool of kedge. What its server says of it is data and never a permission. */
import {
  isJsonObject,
  type JsonObject,
  type Need,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@kedge/protocol";
import type { Tool as Definition } from "@modelcontextprotocol/client";
import { wasNotSent } from "../connection/connect-failure.ts";
import { callMsDefault } from "../connection/limits.ts";
import type { LiveServer } from "../connection/live-server.ts";
import { taskOf } from "../connection/task-result.ts";
import type { ElicitationDesk } from "../offers/elicitation-desk.ts";
import { describeTransport } from "../server.ts";
import { describeCallFailure, describeUnavailable } from "./call-failure.ts";
import type { CleanDefinition } from "./clean-definition.ts";
import { progressWriter } from "./progress.ts";
import { fenceResult, resultOutput } from "./result-output.ts";
import { runTask, type TaskJobParts } from "./task-job.ts";
import { wireName } from "./tool-names.ts";
import { withUrlQuestions } from "./url-questions.ts";

export type McpToolParts = {
  readonly live: LiveServer;
  readonly definition: Definition;
  readonly clean: CleanDefinition;
  readonly fullName: string;
  /** It was described otherwise when somebody first used it. */
  readonly isChanged: boolean;
  /** While the call runs, questions of its server go to the person of this call. */
  readonly during: <Value>(context: ToolContext, work: () => Promise<Value>) => Promise<Value>;
  /** Has the person of the call open pages that it needs. */
  readonly visit: ElicitationDesk["visit"];
  readonly elicit: ElicitationDesk["elicit"];
  readonly tasks: Pick<TaskJobParts, "news" | "now" | "frontMs">;
};

const resultCharactersMax = 100_000;
const stillRunningMs = 30_000;
const changedSince = "its description changed since it was first used";

export function createMcpTool(parts: McpToolParts): Tool<JsonObject> {
  const { live, definition, clean, fullName, isChanged } = parts;
  const { server } = live;
  const { annotations = {}, _meta: meta = {} } = definition;
  const isAlwaysLoaded =
    server.alwaysLoad === true || meta["anthropic/alwaysLoad"] === true || meta["kedge/alwaysLoad"] === true;
  const charactersMax = Number(meta["anthropic/maxResultSizeChars"]);
  const version = `${definition.name}@${clean.digest}`;
  const need: Need = {
    permission: fullName,
    patterns: [version],
    // Bound to the description: a tool that tells something else of itself asks again.
    always: [version],
    access: annotations.openWorldHint === true && annotations.readOnlyHint !== true ? "outward" : "execute",
    ...(isChanged && { unreviewed: changedSince }),
  };
  return {
    name: wireName(fullName),
    ...(wireName(fullName) !== fullName && { aliases: [fullName] }),
    description: clean.description,
    inputSchema: clean.inputSchema,
    ...(isAlwaysLoaded && { alwaysLoad: true }),
    resultCharactersMax: charactersMax > 0 ? Math.min(charactersMax, resultCharactersMax) : resultCharactersMax,
    // Its server knows its schema better than we do.
    parse: (input) =>
      isJsonObject(input)
        ? { ok: true, input: input as JsonObject }
        : { ok: false, report: "input: expected an object" },
    needs: () => [need],
    preview: async (input) => previewOf(parts, input),
    ...(isChanged && { caution: async () => changedSince }),
    readOnly: () => false,
    concurrencySafe: () => annotations.readOnlyHint === true,
    run: (input, context) => parts.during(context, () => run(input, context, parts)),
  };
}

/** What the person answers about: who is asked, for what, and with which words. */
function previewOf({ live: { server }, definition, clean, isChanged }: McpToolParts, input: JsonObject): string {
  const { annotations = {} } = definition;
  const hints = [
    annotations.readOnlyHint === true && "it is read-only",
    annotations.destructiveHint === true && "it may be destructive",
    annotations.openWorldHint === true && "it acts outside this machine",
  ].filter((hint) => hint !== false);
  return [
    `MCP server ${server.name}: ${describeTransport(server.transport)}`,
    ...(isChanged ? ["Its description changed since it was first used. It is now:"] : []),
    clean.description,
    ...(hints.length > 0 ? [`The server says: ${hints.join(", ")}.`] : []),
    `Input: ${JSON.stringify(input, undefined, 2)}`,
  ].join("\n");
}

async function run(input: JsonObject, context: ToolContext, parts: McpToolParts): Promise<ToolOutput> {
  const { live, definition, visit } = parts;
  const { name: server, timeoutMs = callMsDefault } = live.server;
  const { name: tool, annotations = {} } = definition;
  const title = `${server} ${tool}`;
  const isIdempotent = annotations.idempotentHint === true || annotations.readOnlyHint === true;
  const stopTicking = tick(context);
  const onprogress = progressWriter(context.sink, parts.tasks.now);
  try {
    const used = await live.use(
      (client) =>
        withUrlQuestions(
          (pages) => visit(pages, context),
          () =>
            client.callTool(
              { name: tool, arguments: { ...input } },
              {
                ...withoutOutputSchema(definition),
                signal: context.signal,
                ...{ timeout: timeoutMs, maxTotalTimeout: timeoutMs },
                onprogress,
              },
            ),
        ),
      (error) => isIdempotent || wasNotSent(error),
    );
    if (!used.ok) return { output: describeUnavailable(server, used.state), isError: true, title };
    const task = taskOf(used.value);
    if (task !== undefined) {
      const { tasks, elicit } = parts;
      return await runTask(task, { ...tasks, live, elicit, origin: { server, tool }, context });
    }
    const { output, media } = await resultOutput(used.value, { server, tool }, context);
    return {
      output,
      title,
      ...(media.length > 0 && { media }),
      ...(used.value.isError === true && { isError: true }),
      metadata: { server, tool, ...appOf(definition) },
    };
  } catch (error) {
    if (context.signal.aborted) return { output: `${tool} was interrupted.`, isError: true, title };
    const { says, data } = describeCallFailure(error, { server, tool, timeoutMs, state: live.state() });
    const output = data === undefined ? says : `${says}\n${await fenceResult(data, { server, tool }, context)}`;
    return { output, isError: true, title, metadata: { server, tool } };
  } finally {
    stopTicking();
  }
}

/** A result that is not as its server declared it has had its effect all the same: the model sees it as it is. */
function withoutOutputSchema({ outputSchema, ...toolDefinition }: Definition): {
  readonly toolDefinition?: Definition;
} {
  return outputSchema === undefined ? {} : { toolDefinition };
}

/** The page that shows a result, for clients that can show one: kept as data, never fetched or run here. */
function appOf({ _meta: meta = {} }: Definition): { readonly app?: string } {
  const ui = isJsonObject(meta["ui"]) ? meta["ui"]["resourceUri"] : meta["ui/resourceUri"];
  return typeof ui === "string" && ui.startsWith("ui://") ? { app: ui.slice(0, appCharactersMax) } : {};
}

const appCharactersMax = 1_000;

/** Some tools are for such a page alone. */
export function isForModel({ _meta: meta = {} }: Definition): boolean {
  const visibility = isJsonObject(meta["ui"]) ? meta["ui"]["visibility"] : undefined;
  return !Array.isArray(visibility) || visibility.includes("model");
}

/** Some calls take hours: whoever waits sees that it still runs. */
function tick({ sink }: ToolContext): () => void {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += stillRunningMs / 1_000;
    sink.write(`still running, ${seconds} s\n`, "stdout");
  }, stillRunningMs);
  timer.unref();
  return () => clearInterval(timer);
}
