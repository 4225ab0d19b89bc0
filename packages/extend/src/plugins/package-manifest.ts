/** The manifest of a plugin that is a package for OpenCode: one module, which may do what plugins there can do. */
import { isJsonObject } from "@kedge/protocol";
import { codeRights, manifestOf, type PluginManifest } from "./plugin-manifest.ts";
import { plainPluginName } from "./read-manifest.ts";

/** Its code gets no secrets: OpenCode's plugins are not told about them either. */
const rights = Object.keys(codeRights).filter((right) => right !== "credentials");

/** Undefined for a package that is something else. */
export function packageManifest(value: unknown): PluginManifest | undefined {
  if (!isJsonObject(value) || typeof value["name"] !== "string") return undefined;
  const { name: written, version, description, keywords, dependencies, peerDependencies, devDependencies } = value;
  const needs = [dependencies, peerDependencies, devDependencies].flatMap((each) =>
    isJsonObject(each) ? Object.keys(each) : [],
  );
  const words = [written, ...(Array.isArray(keywords) ? keywords : [])].map(String);
  const isPlugin = needs.includes("@opencode-ai/plugin") || words.some((word) => /opencode/i.test(word));
  const name = plainPluginName(String(written).replace(/^@[^/]+\//, ""));
  const entry = entryOf(value);
  if (!isPlugin || name === "" || entry === undefined) return undefined;
  return {
    ...manifestOf(name),
    ...(typeof version === "string" && { version }),
    ...(typeof description === "string" && { description }),
    capabilities: ["skills", "commands", "agents", ...rights],
    code: [entry.replace(/^(?:\.\/)+/, "")],
  };
}

/** As Node finds it, as far as it is written down. */
function entryOf({ main, module, exports }: { readonly [field: string]: unknown }): string | undefined {
  const whole = isJsonObject(exports) ? (exports["."] ?? exports["./server"] ?? exports) : exports;
  const found = isJsonObject(whole) ? [whole["import"], whole["default"], whole["node"]] : [whole];
  const entry = [...found, module, main].find((each) => typeof each === "string");
  return typeof entry === "string" && !/^(?:\/|.*\.\.(?:\/|$))/.test(entry) ? entry : undefined;
}
