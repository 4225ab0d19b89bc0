/** The hooks of one file: each is waited for five seconds, and is left out of a session after three failures. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import type { CodeParts } from "../code-parts.ts";
import type { CodeUnit } from "../code-unit.ts";
import type { KnownHook } from "../known-hooks.ts";

const hookMsMax = 5_000;
const strikesMax = 3;

export type HookRun = {
  readonly hook: KnownHook;
  readonly sessionId: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly signal?: AbortSignal;
};

export type HookEnd =
  /** `answer` is what the function returned, where that was an object. */
  | { readonly kind: "done"; readonly output: JsonObject; readonly answer?: JsonObject }
  /** It threw on purpose; what it says is meant for whoever wanted something. */
  | { readonly kind: "threw"; readonly problem: string }
  | { readonly kind: "failed"; readonly problem: string }
  /** It brings no such hook, was left out, or the run was interrupted. */
  | { readonly kind: "none" };

export type UnitHooks = {
  /** How records name who spoke. */
  readonly name: string;
  readonly unit: CodeUnit;
  has(hook: KnownHook): boolean;
  run(run: HookRun): Promise<HookEnd>;
  /** Hooks that are left out, with the session. */
  disabled(): readonly string[];
  forget(sessionId: string): void;
};

const none: HookEnd = { kind: "none" };

export function createUnitHooks(
  unit: CodeUnit,
  { onNotice, limits }: Pick<CodeParts, "onNotice" | "limits">,
): UnitHooks {
  const { owner } = unit.group;
  const strikes = new Map<string, number>();
  const brought = new Set<string>(unit.hooks());

  function strike(key: string, hook: KnownHook, problem: string): void {
    const count = (strikes.get(key) ?? 0) + 1;
    strikes.set(key, count);
    const rest = count < strikesMax ? "" : ` It failed ${count} times and is disabled for this session.`;
    onNotice(`The hook ${hook} of ${unit.name} failed: ${problem}.${rest}`);
  }

  return {
    name: owner.kind === "plugin" ? `plugin:${owner.name}` : `plugin:${unit.name}`,
    unit,
    has: (hook) => brought.has(hook),
    async run({ hook, sessionId, input, output, signal }) {
      const key = `${sessionId} ${hook}`;
      if (!brought.has(hook) || (strikes.get(key) ?? 0) >= strikesMax || unit.offBecause() !== undefined) return none;
      const work = { kind: "hook", hook, input, output } as const;
      const reply = await unit.work(work, {
        timeoutMs: limits?.hookMs ?? hookMsMax,
        ...(signal !== undefined && { signal }),
      });
      if (reply.ok) {
        const value = isJsonObject(reply.value) ? reply.value : {};
        const { output: left, answer } = value;
        if (isJsonObject(left)) {
          // Both came as JSON.
          const returned = isJsonObject(answer) ? { answer: answer as JsonObject } : {};
          return { kind: "done", output: left as JsonObject, ...returned };
        }
        strike(key, hook, "its response cannot be read");
        return { kind: "failed", problem: "its response cannot be read" };
      }
      if (reply.kind === "interrupted") return none;
      if (reply.kind === "threw") return { kind: "threw", problem: reply.problem };
      strike(key, hook, reply.problem);
      return { kind: "failed", problem: reply.problem };
    },
    disabled: () => [...strikes].filter(([, count]) => count >= strikesMax).map(([key]) => key),
    forget(sessionId) {
      for (const key of strikes.keys()) if (key.startsWith(`${sessionId} `)) strikes.delete(key);
    },
  };
}
