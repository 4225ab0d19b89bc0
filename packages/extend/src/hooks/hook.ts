/** One hook as it was captured: what it is for, who brought it, and what it does. Frozen, and never read again. */
import type { JsonObject } from "@kedge/protocol";
import type { DialectId } from "./dialects/dialect.ts";
import type { HookEvent } from "./hook-events.ts";

/** `managed` is last where changes are put together; a `project` hook came with the repository. */
export type HookScope = "user" | "project" | "local" | "managed";

export type Hook = {
  /** Shown wherever the hook did something: where it stands, and its number there. */
  readonly name: string;
  readonly event: HookEvent;
  /** What its own agent calls the event. */
  readonly eventName: string;
  readonly dialect: DialectId;
  readonly scope: HookScope;
  /** Where it was read, as shown to people. */
  readonly file: string;
  /** As it was written; every one without it. */
  readonly matcher?: string;
  /** A permission rule that the call has to match. */
  readonly condition?: string;
  readonly timeoutMs: number;
  readonly action: HookAction;
  /** At most once per session. */
  readonly once: boolean;
  /** Nobody waits for it. */
  readonly isAsync: boolean;
  /** Its failure blocks, also where failures are only reported. */
  readonly failClosed: boolean;
  /** What it rewrites must not be kept. */
  readonly redacts: boolean;
  readonly wantsTranscript: boolean;
};

export type HookAction =
  | {
      readonly type: "command";
      readonly command: string;
      /** Started without a shell. */
      readonly args?: readonly string[];
      /** Relative to the project. */
      readonly cwd?: string;
      readonly environment: { readonly [name: string]: string };
    }
  | {
      readonly type: "http";
      readonly url: string;
      readonly headers: { readonly [name: string]: string };
      /** The only variables that headers may name. */
      readonly allowedVariables: readonly string[];
    }
  | {
      readonly type: "mcp_tool";
      readonly server: string;
      readonly tool: string;
      /** Texts in it may name fields of the event: `${tool_input.file_path}`. */
      readonly input: JsonObject;
    }
  | { readonly type: "prompt" | "agent"; readonly prompt: string; readonly model?: string };

/** A configuration that was read, and not yet looked into. */
export type HookSource = {
  readonly dialect: DialectId;
  readonly scope: HookScope;
  readonly file: string;
  /** The value of `hooks`. */
  readonly hooks: unknown;
  /** Of a plugin: what its commands find in their environment. Its files never change. */
  readonly plugin?: { readonly environment: { readonly [name: string]: string } };
};

export type HookProblem = { readonly file: string; readonly sentence: string };
