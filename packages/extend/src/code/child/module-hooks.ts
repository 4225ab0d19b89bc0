/** Decides which modules the code may load, and puts stand-ins in the place of packages that other agents bring. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { type LoadHookSync, type ResolveHookSync, registerHooks } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { LoadMessage } from "../code-messages.ts";
import { asModule } from "./workflow-module.ts";

const standInScheme = "kedge:";

/** Where stand-ins find what they give out; see `stand-ins.ts`. */
export const standInsKey = Symbol.for("kedge.code.stand-ins");

const fromKedge = `globalThis[Symbol.for(${JSON.stringify(standInsKey.description)})]`;

/** Packages by the name under which code asks for them. */
const standIns: { readonly [specifier: string]: string } = {
  "@opencode-ai/plugin": `const { tool } = ${fromKedge}; export { tool };`,
  "@opencode-ai/plugin/tool": `const { tool } = ${fromKedge}; export { tool };`,
  "kedge/tool": `const { tool, z } = ${fromKedge}; export { tool, z };`,
  "@sinclair/typebox": `const { Type } = ${fromKedge}; export { Type }; export default Type;`,
  bun: `const { $ } = ${fromKedge}; export { $ };`,
};

const extensions = [".ts", ".js", ".mts", ".mjs", ".cjs", "/index.ts", "/index.js"];

export type ReportModule = (path: string, digest: string) => void;

export function guardModules(message: LoadMessage, report: ReportModule): void {
  const { root, digests, zodUrl, reportsPackages, kind, file } = message;
  const known = digests === undefined ? undefined : new Map(digests);
  const ownFolder = dirname(fileURLToPath(zodUrl)) + sep;

  const resolve: ResolveHookSync = (specifier, context, next) => {
    if (Object.hasOwn(standIns, specifier)) return { url: `${standInScheme}${specifier}`, shortCircuit: true };
    if (/^zod(?:\/v4)?$/.test(specifier)) return { url: zodUrl, shortCircuit: true };
    try {
      return next(specifier, context);
    } catch (error) {
      // Other runtimes find a file without its ending.
      const found = withEnding(specifier, context.parentURL);
      if (found === undefined) throw error;
      return next(found, context);
    }
  };

  const load: LoadHookSync = (url, context, next) => {
    if (url.startsWith(standInScheme)) {
      const source = standIns[url.slice(standInScheme.length)] ?? "";
      return { format: "module", source, shortCircuit: true };
    }
    if (!url.startsWith("file:")) return next(url, context);
    const path = fileURLToPath(url);
    const expected = known?.get(path);
    if (path.startsWith(ownFolder)) return next(url, context);
    const isPackage = path.includes(`${sep}node_modules${sep}`) && known !== undefined;
    const isBelow = path.startsWith(root + sep) && known === undefined;
    if (expected === undefined && !isPackage && !isBelow) {
      throw new Error(`${path} is not part of the trusted files and was not loaded`);
    }
    // Before anybody parses it: the body of a script is no module yet.
    if (kind === "workflow" && path === file) return workflowModule(path, expected);
    if (expected === undefined && !reportsPackages) return next(url, context);
    const loaded = next(url, context);
    // What is hashed is what runs: a file that changes in between cannot slip in.
    const source = loaded.source ?? readFileSync(path);
    const found = hashOf(bytesOf(source));
    if (expected === undefined) report(path, found);
    else if (found !== expected) throw changed(path);
    return { ...loaded, source };
  };

  registerHooks({ resolve, load });
}

function workflowModule(path: string, expected: string | undefined): ReturnType<LoadHookSync> {
  const bytes = readFileSync(path);
  if (expected !== undefined && hashOf(bytes) !== expected) throw changed(path);
  const format = /\.m?ts$/.test(path) ? "module-typescript" : "module";
  return { format, source: asModule(bytes.toString("utf8")), shortCircuit: true };
}

function hashOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function changed(path: string): Error {
  return new Error(`${path} changed since it was trusted and was not loaded`);
}

function bytesOf(source: string | ArrayBuffer | NodeJS.TypedArray): string | Uint8Array {
  if (typeof source === "string") return source;
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}

function withEnding(specifier: string, parent: string | undefined): string | undefined {
  if (!/^\.{1,2}\//.test(specifier) || parent?.startsWith("file:") !== true) return undefined;
  const path = join(dirname(fileURLToPath(parent)), specifier);
  const candidates = [path.replace(/\.js$/, ".ts"), ...extensions.map((ending) => path + ending)];
  const found = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
  return found === undefined ? undefined : pathToFileURL(found).href;
}
