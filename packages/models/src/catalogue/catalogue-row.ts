/** What a line of the catalogue says about a vendor and its models, and how a line is read. */
import { isJsonObject, type Prices, type Quirk, type ReasoningControl } from "@kedge/protocol";
import { type TierModels, tierNames } from "../tiers/tier-names.ts";
import { readPrices } from "./read-prices.ts";

export const wireNames = ["openai-chat", "openai-responses", "anthropic", "google"] as const;

export type WireName = (typeof wireNames)[number];

/** One of kedge's own wires, or a package of the AI SDK that speaks for the vendor. */
export const apis = [...wireNames, "ai-sdk"] as const;

export type Api = (typeof apis)[number];

export const localServerKinds = ["ollama", "lmstudio", "llamacpp", "vllm"] as const;

export type LocalServerKind = (typeof localServerKinds)[number];

/** Every field is optional: a later source states only what it knows better. */
export type CatalogueModel = {
  readonly name?: string;
  readonly family?: string;
  /** Tokens the model can see. */
  readonly context?: number;
  /** Tokens a request may hold, where that is less than what is left beside the answer. */
  readonly input?: number;
  /** Tokens it can answer with. */
  readonly output?: number;
  readonly cost?: Prices;
  readonly tools?: boolean;
  readonly reasoning?: ReasoningControl;
  readonly images?: boolean;
  readonly documents?: boolean;
  readonly mediaInToolResults?: boolean;
  /** Whether it may be sent, not what it is. */
  readonly temperature?: boolean;
  readonly cacheMarks?: boolean;
  readonly webSearch?: boolean;
  /** Results may refer to tools by name, at the vendor's own address. */
  readonly toolReferences?: boolean;
  /** False where a request may not name the tool that is to be called. */
  readonly forcedToolChoice?: boolean;
  /** A request with more tools is refused. */
  readonly toolsMax?: number;
  readonly released?: string;
  /** Absent for what anybody can use: otherwise `preview`, `deprecated` or a word of the vendor. */
  readonly status?: string;
};

export type CatalogueProvider = {
  readonly id: string;
  readonly name: string;
  readonly api: Api;
  /** The package for `ai-sdk`. */
  readonly package?: string;
  /** The package's function that makes the provider, where there are several. */
  readonly factory?: string;
  /** A package that only a fetched list names: the user must name it as well before it is loaded. */
  readonly packageProposed?: string;
  /** `{NAME}` stands for the value of that variable. */
  readonly baseURL?: string;
  /** Variables of which each one is enough to use the vendor. */
  readonly keys: readonly string[];
  readonly keyOptional?: true;
  readonly headers?: { readonly [name: string]: string };
  readonly quirks?: readonly Quirk[];
  /** What the package is told, by the variables that hold it; a dot leads into an object. */
  readonly settings?: { readonly [setting: string]: readonly string[] };
  /** The region of a cloud where nothing else names one. */
  readonly region?: string;
  readonly local?: { readonly server: LocalServerKind; readonly ports: readonly number[] };
  /** It shortens conversations by itself, over a wire that has words for that. */
  readonly compaction?: true;
  /** There is a recorded stream of this very vendor among the tests. */
  readonly tested?: true;
  /** The list of models leaves none out that the vendor had on the catalogue's day. */
  readonly complete?: true;
  readonly defaults?: CatalogueModel;
  /** Which of its models work where a name such as `fast` is asked for. */
  readonly tiers?: TierModels;
  readonly models: { readonly [id: string]: CatalogueModel };
};

export const quirkNames: readonly string[] = [
  "nine-character-call-ids",
  "assistant-after-results",
  "tools-after-calls",
  "max-completion-tokens",
  "reasoning-returned",
  "think-spans",
  "no-stream-options",
] satisfies readonly Quirk[];

export const reasoningControls: readonly string[] = [
  "none",
  "effort",
  "budget",
  "adaptive",
] satisfies readonly ReasoningControl[];

const flagNames = [
  "tools",
  "images",
  "documents",
  "mediaInToolResults",
  "temperature",
  "cacheMarks",
  "webSearch",
  "toolReferences",
  "forcedToolChoice",
] as const;

/** Undefined when the line does not describe a vendor; fields of a wrong type are left out. */
export function readRow(line: string): CatalogueProvider | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const id = textOf(value["id"]);
  const api = apis.find((each) => each === value["api"]);
  if (id === undefined || api === undefined) return undefined;
  return withoutUndefined({
    id,
    name: textOf(value["name"]) ?? id,
    api,
    package: textOf(value["package"]),
    factory: textOf(value["factory"]),
    baseURL: textOf(value["baseURL"]),
    keys: textsOf(value["keys"]),
    keyOptional: trueOf(value["keyOptional"]),
    headers: recordOf(value["headers"], textOf),
    // Each was found among the names of quirks.
    quirks: textsOf(value["quirks"]).filter((name) => quirkNames.includes(name)) as readonly Quirk[],
    settings: recordOf(value["settings"], textsOf),
    region: textOf(value["region"]),
    local: readLocal(value["local"]),
    compaction: trueOf(value["compaction"]),
    tested: trueOf(value["tested"]),
    complete: trueOf(value["complete"]),
    defaults: isJsonObject(value["defaults"]) ? readModel(value["defaults"]) : undefined,
    tiers: readTiers(value["tiers"]),
    models: recordOf(value["models"], (model) => (isJsonObject(model) ? readModel(model) : undefined)) ?? {},
  });
}

export function readModel(value: { readonly [name: string]: unknown }): CatalogueModel {
  const flags: { [name in (typeof flagNames)[number]]?: boolean } = {};
  for (const name of flagNames) {
    const flag = value[name];
    if (typeof flag === "boolean") flags[name] = flag;
  }
  return withoutUndefined({
    name: textOf(value["name"]),
    family: textOf(value["family"]),
    context: tokensOf(value["context"]),
    input: tokensOf(value["input"]),
    output: tokensOf(value["output"]),
    cost: readPrices(value["cost"]),
    // It was found among the names of controls.
    reasoning: reasoningControls.find((each) => each === value["reasoning"]) as ReasoningControl | undefined,
    toolsMax: tokensOf(value["toolsMax"]),
    ...flags,
    released: textOf(value["released"]),
    status: textOf(value["status"]),
  });
}

function readTiers(value: unknown): TierModels | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    tierNames.flatMap((tier) => {
      const model = textOf(value[tier]);
      return model === undefined ? [] : [[tier, model]];
    }),
  );
}

function readLocal(value: unknown): CatalogueProvider["local"] | undefined {
  if (!isJsonObject(value)) return undefined;
  const server = localServerKinds.find((each) => each === value["server"]);
  const ports: unknown = value["ports"];
  if (server === undefined || !Array.isArray(ports)) return undefined;
  return { server, ports: ports.filter((port): port is number => Number.isInteger(port) && port > 0 && port < 65_536) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function tokensOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function trueOf(value: unknown): true | undefined {
  return value === true ? true : undefined;
}

function recordOf<Member>(
  value: unknown,
  read: (member: unknown) => Member | undefined,
): { readonly [name: string]: Member } | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const found = read(member);
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

type Defined<Value> = { [Name in keyof Value as undefined extends Value[Name] ? never : Name]: Value[Name] } & {
  [Name in keyof Value as undefined extends Value[Name] ? Name : never]?: Exclude<Value[Name], undefined>;
};

/** So that one source laid over another replaces only what it states. */
export function withoutUndefined<Value extends object>(value: Value): Defined<Value> {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  // Nothing but members of the value `undefined` was taken out, which is what the type says.
  return Object.fromEntries(entries) as Defined<Value>;
}
