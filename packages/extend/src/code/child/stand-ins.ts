/** What code finds in the place of packages and globals of other agents: the tool helper, zod, a schema builder, a shell. */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { z as Zod } from "zod";
import { standInsKey } from "./module-hooks.ts";
import type { ShellTemplate } from "./shell-template.ts";

export type ZodLibrary = typeof Zod;

/** Loaded when somebody asks for it: it takes longer than the rest of the process. */
export function createZodLoader(zodUrl: string): () => ZodLibrary {
  let loaded: ZodLibrary | undefined;
  return () => {
    loaded ??= createRequire(zodUrl)(fileURLToPath(zodUrl)).z as ZodLibrary;
    return loaded;
  };
}

export function installStandIns($: ShellTemplate, loadZod: () => ZodLibrary): void {
  const tool = (definition: unknown) => definition;
  Object.defineProperty(tool, "schema", { get: loadZod });
  const given = { tool, $, Type };
  Object.defineProperty(given, "z", { get: loadZod, enumerable: true });
  Object.defineProperty(globalThis, standInsKey, { value: given });
  Object.defineProperty(globalThis, "Bun", { value: bunOf($), configurable: true });
}

/** The few members that tools and plugins of OpenCode use. */
function bunOf($: ShellTemplate) {
  return {
    $,
    sleep: (ms: number) => wait(ms),
    write: async (path: string | URL, content: string | Uint8Array) => {
      await writeFile(path, content);
      return content.length;
    },
    file: (path: string | URL) => ({
      text: () => readFile(path, "utf8"),
      json: async () => JSON.parse(await readFile(path, "utf8")) as unknown,
      exists: () =>
        readFile(path).then(
          () => true,
          () => false,
        ),
      bytes: () => readFile(path),
    }),
  };
}

type Options = { readonly [name: string]: unknown };
type Built = Options;

const optionalMark = Symbol("optional");

/** Older tools write their schemas with a builder; what it builds is JSON Schema already. */
const Type = {
  String: (options: Options = {}): Built => ({ ...options, type: "string" }),
  Number: (options: Options = {}): Built => ({ ...options, type: "number" }),
  Integer: (options: Options = {}): Built => ({ ...options, type: "integer" }),
  Boolean: (options: Options = {}): Built => ({ ...options, type: "boolean" }),
  Null: (options: Options = {}): Built => ({ ...options, type: "null" }),
  Any: (options: Options = {}): Built => ({ ...options }),
  Unknown: (options: Options = {}): Built => ({ ...options }),
  Literal: (value: unknown, options: Options = {}): Built => ({ ...options, const: value }),
  Array: (items: Built, options: Options = {}): Built => ({ ...options, type: "array", items }),
  Record: (_: Built, value: Built, options: Options = {}): Built => ({
    ...options,
    type: "object",
    additionalProperties: value,
  }),
  Union: (anyOf: readonly Built[], options: Options = {}): Built => ({ ...options, anyOf }),
  Optional: (schema: Built): Built => ({ ...schema, [optionalMark]: true }),
  Object: (properties: { readonly [name: string]: Built }, options: Options = {}): Built => ({
    ...options,
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !Object.hasOwn(properties[name] ?? {}, optionalMark)),
  }),
};

/** As omp hands it to factories. */
export const typebox = { Type };
