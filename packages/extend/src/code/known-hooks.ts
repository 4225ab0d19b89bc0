/** The hooks of code that kedge has, with the capability that each one needs. */
import type { CodeCapability } from "./code-group.ts";

type KnownHookRow = { readonly capability: CodeCapability };

export const knownHooks = {
  config: { capability: "prompts" },
  event: { capability: "events" },
  "chat.message": { capability: "prompts" },
  "command.execute.before": { capability: "prompts" },
  before_plan: { capability: "prompts" },
  "chat.params": { capability: "requests" },
  "chat.headers": { capability: "requests" },
  "tool.definition": { capability: "system-prompt" },
  "experimental.chat.system.transform": { capability: "system-prompt" },
  "session.compacting": { capability: "system-prompt" },
  "experimental.session.compacting": { capability: "system-prompt" },
  "session.tree.before": { capability: "system-prompt" },
  "session.tree": { capability: "events" },
  "tool.execute.before": { capability: "calls" },
  "tool.execute.after": { capability: "calls" },
  "permission.ask": { capability: "permissions" },
  "shell.env": { capability: "environment" },
} as const satisfies { readonly [hook: string]: KnownHookRow };

export type KnownHook = keyof typeof knownHooks;

export function isKnownHook(name: string): name is KnownHook {
  return Object.hasOwn(knownHooks, name);
}
