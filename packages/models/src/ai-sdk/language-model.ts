/** The part of the AI SDK's language model specification that kedge uses, and how a package's model is found. */
import { isJsonObject, type JsonSchema } from "@kedge/protocol";

/** The two generations of the specification that provider packages of today follow; they write media differently. */
export type Specification = "v3" | "v4";

/** What a package attached to a part; it gets it back under `providerOptions`. */
export type VendorMembers = { readonly [vendor: string]: unknown };

type Marked = { readonly providerOptions?: VendorMembers };

export type FilePart = Marked & {
  readonly type: "file";
  readonly filename: string;
  readonly mediaType: string;
  readonly data: string | { readonly type: "data"; readonly data: string };
};

export type TextPart = Marked & { readonly type: "text"; readonly text: string };

export type ResultPart = Marked & {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ResultOutput;
};

export type ResultOutput =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | { readonly type: "json"; readonly value: unknown }
  | { readonly type: "content"; readonly value: readonly object[] };

export type AssistantPart =
  | TextPart
  | (Marked & { readonly type: "reasoning"; readonly text: string })
  | (Marked & {
      readonly type: "tool-call";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly providerExecuted?: true;
    })
  | ResultPart
  | (Marked & { readonly type: "custom"; readonly kind: string });

export type PromptMessage = Marked &
  (
    | { readonly role: "system"; readonly content: string }
    | { readonly role: "user"; readonly content: readonly (TextPart | FilePart)[] }
    | { readonly role: "assistant"; readonly content: readonly AssistantPart[] }
    | { readonly role: "tool"; readonly content: readonly ResultPart[] }
  );

export type SdkReasoning = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

export type CallOptions = {
  readonly prompt: readonly PromptMessage[];
  readonly maxOutputTokens: number;
  readonly temperature?: number;
  readonly reasoning?: SdkReasoning;
  readonly tools?: readonly {
    readonly type: "function";
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonSchema;
  }[];
  readonly toolChoice?:
    | { readonly type: "auto" | "required" | "none" }
    | { readonly type: "tool"; readonly toolName: string };
  readonly headers: { readonly [name: string]: string };
  readonly abortSignal: AbortSignal;
};

/** What comes from a package is not trusted to have any shape beyond this. */
export type LanguageModel = {
  readonly specification: Specification;
  readonly doStream: (options: CallOptions) => PromiseLike<unknown>;
  readonly doGenerate: (options: CallOptions) => PromiseLike<unknown>;
};

export type Found<Value> =
  | { readonly ok: true; readonly value: Value }
  /** A sentence for a person. */
  | { readonly ok: false; readonly problem: string };

export type Factory = (settings: object) => unknown;

type Callable = (...values: readonly unknown[]) => unknown;

/**
 * The function that makes a package's provider: the one named, the only one called `create…`, or among several the one
 * called after the package or its scope, such as `createGoogleVertex` of `@ai-sdk/google-vertex`.
 */
export function findFactory(exports: unknown, packageName: string, named?: string): Found<Factory> {
  const members = membersOf(exports);
  const names = Object.keys(members).filter((name) => name.startsWith("create") && isCallable(members[name]));
  const wanted = packageName.toLowerCase().split("/").map(lettersOf);
  const ownName = names.filter((name) => wanted.includes(lettersOf(name.slice("create".length).toLowerCase())));
  const name = named ?? (names.length === 1 ? names[0] : ownName.length === 1 ? ownName[0] : undefined);
  const factory = name === undefined ? undefined : members[name];
  if (isCallable(factory)) return { ok: true, value: factory };
  if (named !== undefined) return { ok: false, problem: `The package ${packageName} has no function "${named}".` };
  const found = names.length === 0 ? "none" : names.join(", ");
  return {
    ok: false,
    problem: `Cannot tell which function of ${packageName} creates the provider; found: ${found}.`,
  };
}

export function findLanguageModel(provider: unknown, id: string, packageName: string): Found<LanguageModel> {
  const make = membersOf(provider)["languageModel"];
  const made = isCallable(make) ? Reflect.apply(make, provider, [id]) : isCallable(provider) ? provider(id) : undefined;
  const { specificationVersion, doStream, doGenerate } = membersOf(made);
  if (!isCallable(doStream) || !isCallable(doGenerate))
    return { ok: false, problem: `The package ${packageName} has no language model "${id}".` };
  if (specificationVersion !== "v3" && specificationVersion !== "v4")
    return {
      ok: false,
      problem: `The package ${packageName} implements AI SDK specification "${String(specificationVersion)}"; v3 and v4 are supported.`,
    };
  return {
    ok: true,
    value: {
      specification: specificationVersion,
      doStream: async (options) => Reflect.apply(doStream, made, [options]),
      doGenerate: async (options) => Reflect.apply(doGenerate, made, [options]),
    },
  };
}

function lettersOf(name: string): string {
  return name.replace(/[^a-z0-9]/g, "");
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

/** The members of an object or of a function, which providers are. */
function membersOf(value: unknown): { readonly [name: string]: unknown } {
  if (isJsonObject(value)) return value;
  // A function has members like any object; reading one that is missing gives undefined.
  return isCallable(value) ? (value as unknown as { readonly [name: string]: unknown }) : {};
}
