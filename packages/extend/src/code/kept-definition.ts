/** What is kept of a file from one start to the next: what it brings, or how often it could not be loaded. */
import { type CodeManifest, readManifest } from "./code-manifest.ts";
import type { CodeParts } from "./code-parts.ts";

export type KeptDefinition =
  | { readonly manifest: CodeManifest }
  /** It did not load so often, and would cost as much again. */
  | { readonly problem: string; readonly attempts: number };

export function readKeptDefinition({ read }: CodeParts["definitions"], key: string): KeptDefinition | undefined {
  const text = read(key);
  if (text === undefined) return undefined;
  try {
    const value: { readonly manifest?: unknown; readonly problem?: unknown; readonly attempts?: unknown } =
      JSON.parse(text);
    const { problem, attempts } = value;
    if (typeof problem === "string" && typeof attempts === "number") return { problem, attempts };
    const manifest = readManifest(value.manifest);
    return manifest && { manifest };
  } catch {
    // Written by half; the file is asked again.
    return undefined;
  }
}

export function keepDefinition({ write }: CodeParts["definitions"], key: string, kept: KeptDefinition): void {
  write(key, JSON.stringify(kept));
}
