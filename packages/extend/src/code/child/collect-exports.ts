/** Finds the tools and hooks that a module brings, in every form that kedge, OpenCode and omp know. */
import { basename, dirname, extname } from "node:path";
import type { LoadMessage } from "../code-messages.ts";
import type { Code, RegisteredCode } from "./registered-code.ts";
import type { ZodLibrary } from "./stand-ins.ts";
import { isFields, readToolSchema, type ToolSchema } from "./tool-schema.ts";

type Fields = { readonly [name: string]: unknown };

export type FoundTool = {
  readonly name: string;
  /** The object of the author, whose methods are called as such. */
  readonly definition: Fields;
  readonly schema: ToolSchema;
};

export type FoundCode = {
  readonly tools: ReadonlyMap<string, FoundTool>;
  /** In load order. */
  readonly hooks: ReadonlyMap<string, readonly Code[]>;
  /** What could not be used, in sentence parts about the file. */
  readonly notes: readonly string[];
};

export type CollectParts = {
  readonly load: Pick<LoadMessage, "file" | "kind">;
  /** What factories and plugins are given. */
  readonly api: object;
  /** What they register instead of returning it. */
  readonly registered: RegisteredCode;
  readonly loadZod: () => ZodLibrary;
};

/** Throws what the code throws. */
export async function collectExports(exports: Fields, parts: CollectParts): Promise<FoundCode> {
  const { api, registered, loadZod } = parts;
  const { file, kind } = parts.load;
  const tools = new Map<string, FoundTool>();
  const hooks = new Map<string, Code[]>();
  const notes: string[] = [];
  const stem = stemOf(file);

  function addTool(definition: Fields, fallback: string): void {
    const { name: own } = definition;
    const name = typeof own === "string" && own !== "" ? own : fallback;
    try {
      if (tools.has(name)) throw new Error("it has another tool of that name");
      const schema = readToolSchema(definition["parameters"] ?? definition["args"], loadZod);
      tools.set(name, { name, definition, schema });
    } catch (error) {
      notes.push(`its tool ${name} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function addHooks(found: Fields): void {
    for (const [name, value] of Object.entries(found)) {
      if (name === "tool" && isFields(value)) {
        for (const [key, each] of Object.entries(value)) if (isTool(each)) addTool(each, key);
      } else if (typeof value === "function") {
        hooks.set(name, [...(hooks.get(name) ?? []), value]);
      } else if (value !== undefined && value !== null) {
        hooks.set(name, hooks.get(name) ?? []);
      }
    }
  }

  function addGiven(given: unknown, fallback: string): void {
    if (isTool(given)) {
      addTool(given, fallback);
    } else if (Array.isArray(given)) {
      for (const [index, each] of given.entries()) {
        if (isTool(each)) addTool(each, `${fallback}_${index + 1}`);
        else notes.push(`entry ${index + 1} of what ${fallback} gives is not a tool`);
      }
    } else if (isFields(given)) {
      addHooks(given);
    }
  }

  const called = new Set<unknown>();
  for (const [name, value] of Object.entries(exports)) {
    const isDefault = name === "default";
    const fallback = isDefault ? stem : `${stem}_${name}`;
    if (isTool(value) || Array.isArray(value)) {
      addGiven(value, fallback);
      continue;
    }
    const maker = kind === "tools" && !isDefault ? undefined : makerOf(value);
    if (maker === undefined || called.has(maker)) continue;
    called.add(maker);
    addGiven(await maker(api), fallback);
  }
  for (const [name, hook] of registered.hooks()) hooks.set(name, [...(hooks.get(name) ?? []), hook]);
  for (const tool of registered.tools()) addGiven(tool, stem);
  for (const what of registered.unused()) notes.push(`it registers ${what}, which is not supported here`);
  if (tools.size === 0 && hooks.size === 0 && notes.length === 0) notes.push("it exports no tool and no hook");
  return { tools, hooks, notes };
}

/** A plugin may also be an object with the function that makes its hooks. */
function makerOf(value: unknown): Code | undefined {
  if (typeof value === "function") return /^class\b/.test(String(value)) ? undefined : value;
  if (isFields(value) && typeof value["server"] === "function") return value["server"];
  return undefined;
}

function isTool(value: unknown): value is Fields {
  return isFields(value) && typeof value["execute"] === "function";
}

/** `tools/weather/index.ts` is `weather`, as `tools/weather.ts` is. */
function stemOf(file: string): string {
  const stem = basename(file, extname(file));
  return stem === "index" ? basename(dirname(file)) : stem;
}
