/** A provider made of an AI SDK package: loaded with the first request, and held to the same contract as every wire. */
import { type Failure, FailureError, isJsonObject, type ModelEvent } from "@kedge/protocol";
import { type CallContext, malformedResponse } from "../failure/call-failure.ts";
import { failureOfStop } from "../failure/connection-failure.ts";
import type { ExchangeStop } from "../http/http-exchange.ts";
import type { Network } from "../http/network.ts";
import type { RetryableProvider } from "../retry/retryable-provider.ts";
import type { WireRequest } from "../wire/request-body.ts";
import { sessionHeader, sessionOf } from "../wire/request-headers.ts";
import type { WireProviderOptions } from "../wire/wire-provider.ts";
import { type CallWatch, watchCall } from "./call-watch.ts";
import { type CallOptions, findFactory, findLanguageModel, type LanguageModel } from "./language-model.ts";
import { createSdkAnswer, type SdkAnswer } from "./sdk-answer.ts";
import { failureOfSdkError } from "./sdk-failure.ts";
import { createSdkFetch, type SdkCall, type SdkFetch } from "./sdk-fetch.ts";
import { createPromptWriter, type PromptWriter } from "./sdk-prompt.ts";

export type AiSdkSettings = {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Whatever else the package's create function takes, such as a region. */
  readonly [option: string]: unknown;
};

export type AiSdkProviderOptions = {
  readonly packageName: string;
  readonly providerName: string;
  readonly settings: AiSdkSettings;
  /** Gives the exports of an installed package; throws a `FailureError` when there is none. */
  readonly load: (packageName: string) => Promise<unknown>;
  /** The create function, where the package leaves it open. */
  readonly factory?: string;
  readonly network?: Network;
} & Omit<WireProviderOptions, "baseUrl" | "apiKey" | "headers" | "proxy" | "ca" | "client">;

/** Shorter values are no secrets, and taking them out would garble every message. */
const secretCharactersMin = 8;
const secretOption = /key|token|secret|password|credential/i;
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

type Link = {
  readonly options: AiSdkProviderOptions;
  readonly redact: (text: string) => string;
  readonly prompts: PromptWriter;
  readonly sdkFetch: SdkFetch;
  /** The package's provider, made once. */
  readonly open: () => Promise<unknown>;
};

export function createAiSdkProvider(options: AiSdkProviderOptions): RetryableProvider {
  const secrets = secretsOf(options.settings);
  const sdkFetch = createSdkFetch(options);
  let opened: Promise<unknown> | undefined;
  const link: Link = {
    options,
    redact: (text) => secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, "[secret]"), text),
    prompts: createPromptWriter(),
    sdkFetch,
    open: () => {
      opened ??= openPackage(options, sdkFetch).catch((error: unknown) => {
        // What is missing now may be installed before the next request.
        opened = undefined;
        throw error;
      });
      return opened;
    },
  };
  return {
    stream: (request, signal) => streamAnswer(link, request, signal),
    useFreshConnections: sdkFetch.useFreshConnections,
  };
}

async function openPackage(options: AiSdkProviderOptions, sdkFetch: SdkFetch): Promise<unknown> {
  const { packageName, providerName, settings } = options;
  // The SDK prints its warnings to the terminal unless this is false, and kedge draws there.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const factory = findFactory(await options.load(packageName), packageName, options.factory);
  if (!factory.ok) throw new FailureError(misconfigured(factory.problem));
  // The one package whose settings have required members that say nothing about the vendor.
  const usual = packageName === "@ai-sdk/openai-compatible" ? { name: providerName, includeUsage: true } : {};
  const headers = { ...options.identity?.headers, ...settings.headers };
  const named = Object.keys(headers).length === 0 ? {} : { headers };
  return factory.value({ ...usual, ...settings, ...named, fetch: sdkFetch.fetch });
}

async function* streamAnswer(link: Link, request: WireRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const { packageName, settings, keyName, now } = link.options;
  const watch = watchCall(link.options, signal, { wantsWhole: request.whole === true });
  const answer = createSdkAnswer();
  const reported = (): CallReport => ({
    watch,
    packageName,
    context: {
      host: watch.call.host ?? hostOf(link.options),
      requestId: request.requestId,
      redact: link.redact,
      ...(keyName !== undefined && { keyName }),
      ...(now !== undefined && { now }),
    },
  });
  try {
    if (hasUnsendable(settings)) return yield failed(failureOfStop(unsendableStop, reported().context));
    for await (const event of readAnswer(link, request, { watch, answer })) {
      if (watch.stop() !== undefined) break;
      yield event;
    }
    if (watch.call.notice !== undefined && watch.stop() === undefined)
      yield { type: "notice", text: watch.call.notice };
    yield conclude(answer, reported());
  } catch (error) {
    // Only code of the package runs here besides what is tested, so whatever is thrown came from outside.
    yield failed(withRegion(failureOfCall(error, reported()), link.options, request.model.id));
  } finally {
    watch.release();
  }
}

type Reading = { readonly watch: CallWatch; readonly answer: SdkAnswer };

/** Returns early when the call was stopped; throws what the package throws. */
async function* readAnswer(link: Link, request: WireRequest, { watch, answer }: Reading): AsyncGenerator<ModelEvent> {
  const { call } = watch;
  const model = yield* watch.wait(findModel(link, request.model.id));
  if (model === undefined) return;
  const options = link.prompts(identified(request, link.options), model.specification, call.signal);
  link.sdkFetch.begin(call);
  const streamed = call.wantsWhole ? undefined : yield* watch.wait(startStream(model, options, call));
  if (watch.stop() !== undefined) return;
  if (call.wantsWhole || call.whole !== undefined) {
    const result = yield* watch.wait(model.doGenerate(options));
    if (isJsonObject(result)) yield* answer.pushWhole(result);
    return;
  }
  const stream = isJsonObject(streamed) ? streamed["stream"] : undefined;
  if (!(stream instanceof ReadableStream)) return;
  const reader: ReadableStreamDefaultReader<unknown> = stream.getReader();
  try {
    while (answer.conclusion() === undefined && answer.error() === undefined) {
      const read = yield* watch.wait(reader.read());
      if (read === undefined || read.done) return;
      yield* answer.push(read.value);
    }
  } finally {
    // The answer is over; how the package takes that concerns nobody.
    reader.cancel().catch(() => {});
  }
}

/** The headers of the session are those of a request, because a package is opened once for all of them. */
function identified(request: WireRequest, { identity }: AiSdkProviderOptions): WireRequest {
  const session = identity?.namesSession === true ? sessionOf(request) : undefined;
  return session === undefined ? request : { ...request, headers: { ...request.headers, [sessionHeader]: session } };
}

/** Undefined when the answer came whole: the package then saw an error, and is asked again for an answer of that kind. */
async function startStream(model: LanguageModel, options: CallOptions, call: SdkCall): Promise<unknown> {
  try {
    return await model.doStream(options);
  } catch (error) {
    if (call.whole === undefined) throw error;
    return undefined;
  }
}

async function findModel(link: Link, id: string): Promise<LanguageModel> {
  const found = findLanguageModel(await link.open(), id, link.options.packageName);
  if (!found.ok) throw new FailureError(misconfigured(found.problem));
  return found.value;
}

type CallReport = { readonly watch: CallWatch; readonly context: CallContext; readonly packageName: string };

function conclude(answer: SdkAnswer, report: CallReport): ModelEvent {
  const { watch, context } = report;
  const error = answer.error();
  const conclusion = answer.conclusion();
  if (error !== undefined || watch.stop() !== undefined) return failed(failureOfCall(error?.error, report));
  if (conclusion === undefined) return failed(failureOfStop(watch.call.stop ?? { kind: "ended" }, context));
  const { providerRequestId } = watch.call;
  return { type: "end", ...conclusion, ...(providerRequestId !== undefined && { providerRequestId }) };
}

/** What kedge saw of the connection is more exact than what the package made of it. */
function failureOfCall(error: unknown, { watch, context, packageName }: CallReport): Failure {
  const { wrongContentType, stop = { kind: "ended" } } = watch.call;
  const ownStop = watch.stop() ?? (stop.kind === "ended" ? undefined : stop);
  if (ownStop !== undefined) return failureOfStop(ownStop, context);
  if (wrongContentType !== undefined)
    return malformedResponse(`a response of type ${wrongContentType} instead of an event stream`, context);
  return failureOfSdkError(error, context, packageName);
}

/** Clouds offer a model in some of their regions only, and say elsewhere that there is none. */
function withRegion(failure: Failure, { settings, providerName }: AiSdkProviderOptions, model: string): Failure {
  const region = settings["region"] ?? settings["location"];
  if (failure.code !== "invalid_model" || typeof region !== "string") return failure;
  return {
    ...failure,
    recovery: `Check that ${model} is available in ${region}; provider.${providerName}.regions sets another region for it.`,
  };
}

function failed(failure: Failure): ModelEvent {
  return { type: "failed", failure };
}

function misconfigured(problem: string): Failure {
  return {
    code: "configuration",
    message: problem,
    recovery: "Check the provider's settings, or install another version of the package.",
    retryable: false,
  };
}

const unsendableStop: ExchangeStop = {
  kind: "broken",
  error: Object.assign(new Error("A header contains invalid characters."), { code: "ERR_INVALID_CHAR" }),
};

function hasUnsendable({ apiKey = "", headers = {} }: AiSdkSettings): boolean {
  return [apiKey, ...Object.values(headers)].some((value) => unsendable.test(value));
}

function hostOf({ settings: { baseURL }, packageName }: AiSdkProviderOptions): string {
  return URL.parse(baseURL ?? "")?.host ?? packageName;
}

function secretsOf(settings: AiSdkSettings): readonly string[] {
  const named = Object.entries(settings).flatMap(([name, value]) => (secretOption.test(name) ? [value] : []));
  return [...named, ...Object.values(settings.headers ?? {})].filter(
    (value): value is string => typeof value === "string" && value.length >= secretCharactersMin,
  );
}
