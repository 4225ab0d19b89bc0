/** Names a session after its first answer, beside the conversation; without a name it keeps the words of its prompt. */
import { type Cost, isJsonObject, type ToolSchema, type Usage } from "@kedge/protocol";
import { askAside, type SideQueryParts } from "../run/side-query.ts";

/** For whoever gives no prompt. */
const plainSystem = "Name this conversation in at most six words.";
/** Without it a model that cannot call the tool would not know where its name begins. */
const answerForm = "Answer with the name alone: <title>name</title>";

const titleCharactersMax = 50;
/** What is shown of the prompt and of the answer. */
const excerptCharactersMax = 2_000;
const timeoutMs = 20_000;
const answerTokensMax = 100;
/** Where a model cannot be kept from thinking before it answers. */
const thinkingTokensMax = 1_024;

/** What a model that calls tools names the session with. */
const titleTool: ToolSchema = {
  name: "set_title",
  description: "Names the conversation. Call it once.",
  inputSchema: {
    type: "object",
    properties: { title: { type: "string", description: `at most ${titleCharactersMax} characters` } },
    required: ["title"],
  },
};

export type FirstExchange = { readonly prompt: string; readonly answer: string };

export type TitleRequest = SideQueryParts & {
  readonly model: string;
  /** The model of the session. */
  readonly beside?: string;
  /** What the model that names is told. */
  readonly system?: string;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
};

export type Title = { readonly title?: string; readonly usage: Usage; readonly cost: Cost };

export async function findTitle(exchange: FirstExchange, request: TitleRequest): Promise<Title> {
  const { model, beside, redact, signal, system = plainSystem, ...parts } = request;
  const shown = [
    `<developer>\n${excerpt(exchange.prompt)}\n</developer>`,
    `<agent>\n${excerpt(exchange.answer)}\n</agent>`,
  ];
  const answer = await askAside(parts, {
    model,
    ...(beside !== undefined && { beside }),
    source: "background",
    system: system.includes("<title>") ? system : `${system}\n${answerForm}`,
    messages: [{ role: "user", text: redact(shown.join("\n")) }],
    temperature: 0.5,
    answerTool: titleTool,
    outputTokensMax: ({ capabilities }) =>
      capabilities === undefined || capabilities.reasoning === "none" ? answerTokensMax : thinkingTokensMax,
    timeoutMs,
    signal,
  });
  const { usage, cost } = answer;
  const title = answer.ok ? readTitle(calledTitle(answer.called) ?? answer.text) : undefined;
  return { ...(title !== undefined && { title: redact(title) }), usage, cost };
}

/** Undefined where the tool was not called, or not with a title; words beside it count then. */
function calledTitle(called: string | undefined): string | undefined {
  if (called === undefined) return undefined;
  try {
    const input: unknown = JSON.parse(called);
    const title = isJsonObject(input) ? input["title"] : undefined;
    return typeof title === "string" && title.trim() !== "" ? title : undefined;
  } catch {
    // A model cut off in the middle of its call.
    return undefined;
  }
}

function excerpt(text: string): string {
  return text.slice(0, excerptCharactersMax);
}

/** Between the marks, after an opening one that is never closed, or one plain line. */
export function readTitle(answer: string): string | undefined {
  const marked = /<title>([\s\S]*?)(?:<\/title>|$)/i.exec(answer)?.[1];
  const line = (marked ?? answer).trim().split("\n", 1)[0] ?? "";
  const plain = line
    .replace(/\p{Cc}/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^["'“”‘’«»`*#\s]+/, "")
    .replace(/["'“”‘’«»`*.,;:!?…。\s]+$/, "");
  // By code point, so that no character is cut in half.
  const short = Array.from(plain).slice(0, titleCharactersMax).join("").trimEnd();
  return short === "" ? undefined : short;
}
