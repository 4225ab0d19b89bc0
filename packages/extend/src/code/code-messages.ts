/** What kedge and a process with code of others say to each other: one JSON object per line, on a descriptor of their own. */
import type { Json, JsonObject } from "@kedge/protocol";

/** The descriptor of the channel in the process that runs code. */
export const channelDescriptor = 3;

/** A longer line ends the process: nobody needs it, and it would fill the memory of kedge. */
export const lineBytesMax = 8 * 1024 * 1024;

export type LoadMessage = {
  readonly type: "load";
  readonly file: string;
  /**
   * `tools`: its default export and its named tools count. `plugin`: every function it exports returns hooks.
   * `workflow`: nothing of it runs before it is told to. `function`: nor of this, whose default export is called.
   */
  readonly kind: "tools" | "plugin" | "workflow" | "function";
  /** Nothing outside of it may be loaded, where there are no digests. */
  readonly root: string;
  readonly digests?: readonly (readonly [path: string, digest: string])[];
  /** Files of packages are reported with their digests, so that later starts know them. */
  readonly reportsPackages: boolean;
  /** Where kedge's own zod lies. */
  readonly zodUrl: string;
  readonly place: CodePlace;
};

/** Where sessions work, for factories and plugins. */
export type CodePlace = {
  readonly cwd: string;
  readonly root: string;
  readonly projectId: string;
  readonly hasUI: boolean;
  readonly data?: string;
};

/** What a tool is told of the session that calls it. */
export type CallSurroundings = {
  readonly sessionId: string;
  readonly callId: string;
  readonly cwd: string;
  readonly root: string;
  readonly model: string;
  readonly mode: string;
  readonly autoApprove: boolean;
  readonly hasQueuedMessages: boolean;
};

export type ToKedge =
  | { readonly type: "loaded"; readonly manifest: JsonObject }
  | { readonly type: "unloaded"; readonly problem: string }
  | { readonly type: "module"; readonly path: string; readonly digest: string }
  | { readonly type: "answer"; readonly id: number; readonly value: Json }
  /** `isBug`: not something that the code threw on purpose. */
  | { readonly type: "threw"; readonly id: number; readonly problem: string; readonly isBug: boolean }
  | { readonly type: "progress"; readonly id: number; readonly text: string }
  | { readonly type: "log"; readonly level: string; readonly text: string }
  /** A wish during the call `call`, answered with `reply`. */
  | {
      readonly type: "wish";
      readonly id: number;
      readonly call: number;
      readonly name: string;
      readonly value: JsonObject;
    };

export type Work =
  /** Asks for agents by the wish `agent`, and tells of its progress by `phase` and `log`. */
  | { readonly kind: "workflow"; readonly args: Json }
  /** Calls the default export with a value. */
  | { readonly kind: "function"; readonly value: Json }
  | { readonly kind: "tool"; readonly tool: string; readonly args: JsonObject; readonly context: CallSurroundings }
  /** Ends an action that a tool prepared. */
  | { readonly kind: "action"; readonly id: string; readonly action: "apply" | "discard"; readonly reason: string }
  /** Hooks change `output` and give it back. */
  | { readonly kind: "hook"; readonly hook: string; readonly input: JsonObject; readonly output: JsonObject }
  | {
      readonly kind: "render";
      readonly tool: string;
      readonly what: "call" | "result" | "approval";
      readonly args: JsonObject;
      readonly result?: JsonObject;
    };

export type ToCode =
  | LoadMessage
  | { readonly type: "work"; readonly id: number; readonly work: Work }
  | { readonly type: "abort"; readonly id: number }
  | { readonly type: "reply"; readonly id: number; readonly value: Json }
  | { readonly type: "session"; readonly event: JsonObject };
