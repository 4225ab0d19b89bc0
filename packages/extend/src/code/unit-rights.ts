/** What of that which a file brings its group may use, and what is left out, in sentences. */
import { type CodeGroup, hasCapability } from "./code-group.ts";
import type { CodeManifest } from "./code-manifest.ts";
import { isKnownHook, type KnownHook, knownHooks } from "./known-hooks.ts";

export function allowedOf(manifest: CodeManifest, group: CodeGroup): CodeManifest {
  return {
    ...manifest,
    ...(!hasCapability(group, "tools") && { tools: [] }),
    ...(!mayUse(group, "config") && { commands: {} }),
  };
}

/** Those that kedge has and that the group may use. */
export function usedHooksOf({ hooks }: CodeManifest, group: CodeGroup): readonly KnownHook[] {
  return hooks.filter(isKnownHook).filter((hook) => mayUse(group, hook));
}

function mayUse(group: CodeGroup, hook: KnownHook): boolean {
  return hasCapability(group, knownHooks[hook].capability);
}

/** Hooks that kedge leaves out on purpose, with what to do instead. */
const unsupported: { readonly [hook: string]: string } = {
  auth: "its hook auth is not supported: sign in with kedge auth login or add a key",
  provider: "its hook provider is not supported: add the provider to your settings",
};

/** Everything that the file brings and that is not used. */
export function problemsOf({ hooks, tools, notes }: CodeManifest, group: CodeGroup): readonly string[] {
  const unknown = hooks.filter((hook) => !isKnownHook(hook));
  const held = hooks.filter(isKnownHook).filter((hook) => !mayUse(group, hook));
  return [
    ...notes,
    ...unknown.map((hook) => unsupported[hook] ?? `its hook ${hook} is not supported and never runs`),
    ...held.map(
      (hook) => `its hook ${hook} needs the capability ${knownHooks[hook].capability}, which it does not have`,
    ),
    ...(tools.length > 0 && !hasCapability(group, "tools")
      ? [`its tools need the capability tools, which it does not have`]
      : []),
  ];
}
