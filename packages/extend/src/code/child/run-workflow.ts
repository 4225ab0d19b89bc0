/** Runs a workflow: gives it `agent`, `parallel`, `pipeline` and `args`, and waits for what it returns. */
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import type { Json, JsonObject } from "@kedge/protocol";
import type { Wish } from "./tool-context.ts";

/** What a workflow can call, as globals and as the argument of its default export. */
type Given = {
  readonly agent: (prompt: unknown, options?: unknown) => Promise<unknown>;
  readonly parallel: (work: unknown) => Promise<readonly unknown[]>;
  readonly pipeline: (items: unknown, ...stages: readonly unknown[]) => Promise<readonly unknown[]>;
  readonly phase: (title: unknown) => void;
  readonly log: (...words: readonly unknown[]) => void;
  readonly args: Json;
};

export async function runWorkflow(file: string, args: Json, wish: Wish): Promise<Json> {
  const given = whatIsGiven(args, wish);
  Object.assign(globalThis, given);
  return asJson(await (await mainOf(file))(given));
}

/** Of a file that is one function: its default export gets a value, and gives one back. */
export async function callFunction(file: string, value: Json): Promise<Json> {
  return asJson(await (await mainOf(file))(value));
}

async function mainOf(file: string): Promise<(given: unknown) => unknown> {
  const exports: { readonly default?: unknown } = await import(pathToFileURL(file).href);
  const main = exports.default;
  if (typeof main !== "function") throw new Error("its default export is not a function");
  return (given) => main(given);
}

function whatIsGiven(args: Json, wish: Wish): Given {
  return {
    args,
    async agent(prompt, options = {}) {
      if (typeof prompt !== "string" || prompt.trim() === "") throw new TypeError("agent() needs a prompt");
      const wanted = asJson(typeof options === "object" ? options : {});
      const reply = (await wish("agent", { ...(wanted as JsonObject), prompt })) as JsonObject | null;
      if (reply?.["ok"] === true) return reply["value"];
      throw new Error(String(reply?.["problem"] ?? "the agent could not be started"));
    },
    parallel: async (work) => {
      if (!Array.isArray(work)) throw new TypeError("parallel() needs a list of functions");
      return Promise.all(work.map((each: unknown) => orNull(() => (typeof each === "function" ? each() : each))));
    },
    pipeline: async (items, ...stages) => {
      if (!Array.isArray(items)) throw new TypeError("pipeline() needs a list of items");
      if (!stages.every((stage) => typeof stage === "function")) throw new TypeError("pipeline() needs functions");
      return Promise.all(items.map((item: unknown, index) => orNull(() => flow(item, index, stages as Stages))));
    },
    phase: (title) => void wish("phase", { title: String(title) }),
    log: (...words) => void wish("log", { text: format(...words) }),
  };
}

type Stages = readonly ((value: unknown, item: unknown, index: number) => unknown)[];

/** Each item goes through all stages by itself; none waits for another. */
async function flow(item: unknown, index: number, stages: Stages): Promise<unknown> {
  let value = item;
  for (const stage of stages) value = await stage(value, item, index);
  return value;
}

/** One that fails leaves the others alone. Its reason is in the log. */
async function orNull(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    console.warn(error instanceof Error ? error.message : String(error));
    return null;
  }
}

function asJson(value: unknown): Json {
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as Json);
}
