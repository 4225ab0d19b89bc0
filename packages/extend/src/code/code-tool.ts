/** A tool of others as one of ours: asked about by its name, checked against its schema, run in its own process. */
import {
  checkSchema,
  describeProblems,
  isJsonObject,
  type Json,
  type JsonObject,
  type Media,
  stripTerminalControls,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@kedge/protocol";
import type { CodeToolManifest } from "./code-manifest.ts";
import type { CodeParts } from "./code-parts.ts";
import type { CodeUnit } from "./code-unit.ts";
import type { PendingActions } from "./pending-actions.ts";

const resultCharactersMax = 50_000;
const minutesDefault = 10;
const timeoutMsMax = 3_600_000;
const renderMsMax = 2_000;
const titleCharactersMax = 200;
const renderedCharactersMax = 20_000;
const mediaMax = 10;

export type CodeToolParts = {
  readonly parts: CodeParts;
  readonly pending: PendingActions;
  readonly sessionId: string;
};

export function createCodeTool(
  manifest: CodeToolManifest,
  unit: CodeUnit,
  { parts, pending, sessionId }: CodeToolParts,
): Tool {
  const { name, description, parameters, readOnly, concurrencySafe } = manifest;
  const timeoutMs = Math.min(manifest.timeoutMs ?? minutesDefault * 60_000, timeoutMsMax);

  /** Undefined where it has none, or where it fails: then the plain text is shown. */
  async function render(
    what: "call" | "result" | "approval",
    args: JsonObject,
    result?: JsonObject,
  ): Promise<string | undefined> {
    const work = { kind: "render", tool: name, what, args, ...(result !== undefined && { result }) } as const;
    const reply = await unit.work(work, { timeoutMs: renderMsMax });
    if (!reply.ok || typeof reply.value !== "string") return undefined;
    return stripTerminalControls(reply.value).slice(0, renderedCharactersMax);
  }

  async function run(args: JsonObject, context: ToolContext): Promise<ToolOutput> {
    const { model, mode, hasQueuedMessages } = parts.session(sessionId);
    const { callId, signal, sink } = context;
    const { cwd, root } = parts.place;
    const surroundings = { sessionId, callId, cwd, root, model, mode, hasQueuedMessages };
    const reply = await unit.work(
      { kind: "tool", tool: name, args, context: { ...surroundings, autoApprove: mode === "bypass" } },
      {
        timeoutMs,
        signal,
        onProgress: (text) => sink.write(text, "stdout"),
        onWish: (wanted, value) => answerWish(wanted, value, context),
      },
    );
    if (!reply.ok) {
      const text = reply.kind === "threw" ? reply.problem : `The tool ${name} failed: ${reply.problem}.`;
      return { output: text, isError: true, title: manifest.label ?? name };
    }
    const result = readResult(reply.value);
    const title = manifest.rendersCall ? await render("call", args) : undefined;
    const shown = manifest.rendersResult ? await render("result", args, result.plain) : undefined;
    const waiting = pending.add(sessionId, result.plain["pending"], { unit, tool: name });
    return {
      output: [result.output, ...waiting].filter((text) => text !== "").join("\n"),
      ...(result.isError && { isError: true as const }),
      title: oneLine(title ?? result.title ?? manifest.label ?? name),
      metadata: {
        ...result.metadata,
        ...((title ?? result.title) !== undefined && { isTitled: true }),
        ...(shown !== undefined && { rendered: shown }),
      },
      ...(result.media.length > 0 && { media: result.media }),
    };
  }

  async function answerWish(wanted: string, value: JsonObject, context: ToolContext): Promise<Json | undefined> {
    switch (wanted) {
      case "notify":
        unit.notify(String(value["text"]));
        return undefined;
      case "ask": {
        const options = Array.isArray(value["options"]) ? value["options"].filter(isJsonObject) : [];
        const question = {
          question: stripTerminalControls(`${name}: ${String(value["question"])}`),
          options: options.map(({ label, description: detail }) => {
            return { label: stripTerminalControls(String(label)), description: stripTerminalControls(String(detail)) };
          }),
        };
        return (await context.dialogue.ask([question]))?.[0];
      }
      default:
        return parts.wish(sessionId, wanted);
    }
  }

  return {
    name,
    description,
    inputSchema: parameters,
    resultCharactersMax,
    ...(manifest.deferrable && { searchHint: manifest.label ?? name }),
    ...(manifest.interruptible && { interruptible: true as const }),
    parse(input) {
      const problems = checkSchema(parameters, input);
      // What fits a schema of an object came as JSON from the model.
      if (problems.length === 0 && isJsonObject(input)) return { ok: true, input: input as JsonObject };
      return { ok: false, report: problems.length === 0 ? "The input must be an object." : describeProblems(problems) };
    },
    needs: () => [{ permission: name, patterns: ["*"], always: ["*"], access: "execute" }],
    ...(manifest.describesApproval && {
      preview: (input: unknown) => render("approval", input as JsonObject),
    }),
    readOnly: () => readOnly,
    concurrencySafe: () => readOnly && concurrencySafe,
    run: (input, context) => run(input as JsonObject, context),
  };
}

type Result = {
  readonly output: string;
  readonly title?: string;
  readonly isError: boolean;
  readonly metadata: JsonObject;
  readonly media: readonly Media[];
  /** As its renderer sees it. */
  readonly plain: JsonObject;
};

function readResult(value: unknown): Result {
  const given = isJsonObject(value) ? (value as JsonObject) : {};
  const { output, title, metadata, isError, media } = given;
  const pictures = Array.isArray(media) ? media.slice(0, mediaMax).filter(isJsonObject) : [];
  return {
    output: typeof output === "string" ? output : "",
    ...(typeof title === "string" && { title }),
    isError: isError === true,
    metadata: isJsonObject(metadata) ? (metadata as JsonObject) : {},
    media: pictures.flatMap(({ name, mediaType, base64 }): readonly Media[] =>
      typeof mediaType === "string" && /^image\/(?:png|jpeg|gif|webp)$/.test(mediaType) && typeof base64 === "string"
        ? [{ name: String(name), mediaType, base64 }]
        : [],
    ),
    plain: given,
  };
}

function oneLine(text: string): string {
  const [line = ""] = stripTerminalControls(text).trim().split("\n", 1);
  return line.slice(0, titleCharactersMax);
}
