/** Hooks of code before requests: `chat.params` for how a model answers, `chat.headers` for what is sent beside the request. */
import {
  type FoundModel,
  isJsonObject,
  type JsonObject,
  type ModelEvent,
  type ModelRequest,
  type Models,
  type Provider,
} from "@kedge/protocol";
import type { UnitHooks } from "./unit-hooks.ts";

/** Who pays and where a request goes is not for a hook to decide. */
const heldHeaders =
  /^(?:host|content-(?:type|length|encoding)|transfer-encoding|connection|accept|authorization|proxy-.*|cookie|x-api-key|api-key|x-goog-api-key)$/i;
const headerName = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const headerValue = /^[\t\x20-\x7e]{0,4000}$/;
const temperatureMax = 2;

/** The same models where no hook wants to see requests. */
export function withRequestHooks(models: Models, all: readonly UnitHooks[]): Models {
  const hooks = all.filter((each) => each.has("chat.params") || each.has("chat.headers"));
  if (hooks.length === 0) return models;
  const wrapped = new WeakMap<Provider, Provider>();
  return {
    cost: models.cost,
    async find(ref, beside): Promise<FoundModel> {
      const found = await models.find(ref, beside);
      if (!found.ok) return found;
      const provider = wrapped.get(found.provider) ?? hookedProvider(found.provider, hooks);
      wrapped.set(found.provider, provider);
      return { ...found, provider };
    },
  };
}

function hookedProvider(provider: Provider, hooks: readonly UnitHooks[]): Provider {
  return {
    ...(provider.compact !== undefined && {
      compact: (request, signal) => provider.compact?.(request, signal) ?? never,
    }),
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      let asked = request;
      for (const each of hooks) asked = await askedWith(each, asked, signal);
      yield* provider.stream(asked, signal);
    },
  };
}

const never = Promise.resolve(undefined);

async function askedWith(hooks: UnitHooks, request: ModelRequest, signal: AbortSignal): Promise<ModelRequest> {
  const { model, conversationId: sessionId, source } = request;
  const input = {
    sessionID: sessionId,
    agent: source,
    model: { providerID: model.provider, modelID: model.id, id: model.id },
    provider: { id: model.provider },
    message: { sessionID: sessionId, role: "user" },
  };
  const output = {
    ...(model.temperature !== undefined && { temperature: model.temperature }),
    maxOutputTokens: request.outputTokensMax,
    options: {},
  };
  const params = await hooks.run({ hook: "chat.params", sessionId, input, output, signal });
  const headers = await hooks.run({ hook: "chat.headers", sessionId, input, output: { headers: {} }, signal });
  return {
    ...request,
    ...(params.kind === "done" && paramsOf(params.output, request)),
    ...(headers.kind === "done" && headersOf(headers.output, request)),
  };
}

function paramsOf({ temperature, maxOutputTokens }: JsonObject, { model, outputTokensMax }: ModelRequest) {
  const isTemperature = typeof temperature === "number" && temperature >= 0 && temperature <= temperatureMax;
  const isLower = typeof maxOutputTokens === "number" && maxOutputTokens >= 1 && maxOutputTokens < outputTokensMax;
  return {
    ...(isTemperature && temperature !== model.temperature && { model: { ...model, temperature } }),
    ...(isLower && { outputTokensMax: Math.floor(maxOutputTokens) }),
  };
}

function headersOf({ headers: given }: JsonObject, { headers }: ModelRequest): Pick<ModelRequest, "headers"> {
  const added = Object.entries(isJsonObject(given) ? given : {}).filter(
    (entry): entry is [string, string] =>
      headerName.test(entry[0]) &&
      !heldHeaders.test(entry[0]) &&
      typeof entry[1] === "string" &&
      headerValue.test(entry[1]),
  );
  return added.length === 0 ? {} : { headers: { ...headers, ...Object.fromEntries(added) } };
}
