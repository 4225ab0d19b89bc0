/** Asks a model server on this machine which models it has and how much context each was given. */
import { isJsonObject } from "@kedge/protocol";
import type { LocalServerKind } from "../catalogue/catalogue-row.ts";
import { getText } from "../http/get-text.ts";

export type LocalModel = { readonly id: string; readonly contextTokens?: number };

export type Probe = {
  readonly server: LocalServerKind;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly signal: AbortSignal;
};

type Json = { readonly [name: string]: unknown };

const answerBytesMax = 4 * 1024 * 1024;

/** A server on this machine that needs longer is not there, or too busy to be of use. */
const probeTimeoutMs = 300;

/** Undefined when no server of this kind answers. */
export async function probeServer(probe: Probe): Promise<readonly LocalModel[] | undefined> {
  switch (probe.server) {
    case "ollama":
      return namesIn(await ask(probe, "/api/tags"), { list: "models", name: "name" });
    case "lmstudio":
      return probeLmStudio(probe);
    case "llamacpp":
      return probeLlamaCpp(probe);
    case "vllm": {
      const answer = await ask(probe, "/v1/models");
      return modelsIn(answer, { list: "data", name: "id" }, (model) => tokensOf(model["max_model_len"]));
    }
  }
}

/** The context of one model, where a list of models does not tell it. */
export async function probeContext(probe: Probe, model: string): Promise<number | undefined> {
  if (probe.server === "ollama") return contextOfOllama(await ask(probe, "/api/show", { model }));
  const models = await probeServer(probe);
  return models?.find(({ id }) => id === model)?.contextTokens;
}

/** What the model was started with, or what it was made for: the server itself cuts at the smaller one. */
function contextOfOllama(shown: Json | undefined): number | undefined {
  if (shown === undefined) return undefined;
  const parameters = typeof shown["parameters"] === "string" ? shown["parameters"] : "";
  const chosen = tokensOf(Number(/^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1]));
  const about = isJsonObject(shown["model_info"]) ? shown["model_info"] : {};
  const name = Object.keys(about).find((each) => each.endsWith(".context_length"));
  const made = name === undefined ? undefined : tokensOf(about[name]);
  return chosen !== undefined && made !== undefined ? Math.min(chosen, made) : (chosen ?? made);
}

async function probeLmStudio(probe: Probe): Promise<readonly LocalModel[] | undefined> {
  const answer = await ask(probe, "/api/v0/models");
  const members = { list: "data", name: "id" };
  return modelsIn(answer, members, (model) =>
    model["type"] === "embeddings"
      ? "unusable"
      : (tokensOf(model["loaded_context_length"]) ?? tokensOf(model["max_context_length"])),
  );
}

/** One process serves one model, so its properties are those of every model in its list. */
async function probeLlamaCpp(probe: Probe): Promise<readonly LocalModel[] | undefined> {
  const [listed, properties] = await Promise.all([ask(probe, "/v1/models"), ask(probe, "/props")]);
  if (properties === undefined) return undefined;
  const generation = properties["default_generation_settings"];
  const contextTokens = tokensOf(isJsonObject(generation) ? generation["n_ctx"] : undefined);
  return modelsIn(listed, { list: "data", name: "id" }, () => contextTokens);
}

async function ask(probe: Probe, path: string, json?: unknown): Promise<Json | undefined> {
  const answer = await getText({
    url: new URL(path, probe.origin),
    ...(json === undefined ? {} : { json }),
    bytesMax: answerBytesMax,
    timeoutMs: probeTimeoutMs,
    signal: probe.signal,
  });
  if (!answer.ok) return undefined;
  try {
    const value: unknown = JSON.parse(answer.text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Something else listens on that port.
    return undefined;
  }
}

type Members = { readonly list: string; readonly name: string };

function namesIn(answer: Json | undefined, members: Members): readonly LocalModel[] | undefined {
  return modelsIn(answer, members, () => undefined);
}

function modelsIn(
  answer: Json | undefined,
  { list, name }: Members,
  contextOf: (model: Json) => number | "unusable" | undefined,
): readonly LocalModel[] | undefined {
  const models: unknown = answer?.[list];
  if (!Array.isArray(models)) return undefined;
  return models.flatMap((model: unknown): readonly LocalModel[] => {
    if (!isJsonObject(model)) return [];
    const id = model[name];
    const contextTokens = contextOf(model);
    if (typeof id !== "string" || id === "" || contextTokens === "unusable") return [];
    return [contextTokens === undefined ? { id } : { id, contextTokens }];
  });
}

function tokensOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
