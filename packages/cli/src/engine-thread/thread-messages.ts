/** What the thread of the screen and the thread of the engine say to each other beside what the client carries. */
import type { MessagePort } from "node:worker_threads";
import type { Failure } from "@kedge/protocol";
import type { EngineUp, TrustAnswer, TrustAsked } from "@kedge/tui";
import type { Flags } from "../arguments/flags.ts";
import type { Surroundings } from "../opening/surroundings.ts";

export type ThreadOrder = {
  readonly flags: Flags;
  readonly surroundings: Surroundings;
  readonly clientPort: MessagePort;
};

export type FromEngine =
  | { readonly kind: "trust-asked"; readonly asked: TrustAsked }
  | { readonly kind: "notice"; readonly sentence: string }
  | { readonly kind: "up"; readonly up: EngineUp }
  | { readonly kind: "failed"; readonly failure: Failure; readonly isUsage: boolean };

export type ToEngine =
  /** The first word; until then the thread only loads the program. */
  | { readonly kind: "begin"; readonly order: ThreadOrder }
  | { readonly kind: "trust-answered"; readonly answer: TrustAnswer }
  | { readonly kind: "close" };
