/** What the thread of the screen and the thread of the engine say to each other beside what the client carries. */
import type { MessagePort } from "node:worker_threads";
import type { Failure, Media, PermissionMode, RunOptions } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import type { Surroundings } from "../opening/surroundings.ts";

export type ThreadOrder = {
  readonly flags: Flags;
  readonly surroundings: Surroundings;
  readonly clientPort: MessagePort;
};

export type TrustAsked = {
  readonly root: string;
  /** One for each thing that the project brings, or that changed. */
  readonly lines: readonly string[];
  readonly isChanged: boolean;
};

/** How the engine came up; a session is open unless no model is configured. */
export type EngineUp = {
  readonly directory: string;
  readonly projectId: string;
  readonly root: string;
  readonly home: string;
  readonly mode: PermissionMode;
  readonly runOptions: RunOptions;
  readonly attachments: readonly Media[];
  readonly session?: {
    readonly sessionId: string;
    readonly model: string;
    readonly interrupted: boolean;
    readonly notice?: string;
  };
};

export type FromEngine =
  | { readonly kind: "trust-asked"; readonly asked: TrustAsked }
  | { readonly kind: "notice"; readonly sentence: string }
  | { readonly kind: "up"; readonly up: EngineUp }
  | { readonly kind: "failed"; readonly failure: Failure; readonly isUsage: boolean };

export type ToEngine =
  /** The first word; until then the thread only loads the program. */
  | { readonly kind: "begin"; readonly order: ThreadOrder }
  | { readonly kind: "trust-answered"; readonly answer: "trusted" | "refused" | undefined }
  | { readonly kind: "close" };
