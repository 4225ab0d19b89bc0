/** What code of others is given of the machine and of its sessions; `host` makes it. */
import type { Json, JsonObject, TextChannel } from "@kedge/protocol";
import type { CodeGroup } from "./code-group.ts";
import type { CodePlace } from "./code-messages.ts";
import type { CodeEnvironment } from "./start-code.ts";

/** What a tool may know of the session that calls it. */
export type CodeSession = {
  readonly model: string;
  readonly mode: string;
  readonly hasQueuedMessages: boolean;
};

export type CodeParts = {
  readonly place: CodePlace;
  readonly zodUrl: string;
  /** Ties what is started to this kedge; without secrets, unless the group may see them. */
  readonly environment: (group: CodeGroup) => CodeEnvironment;
  /** How people know a file. */
  readonly shownPath: (path: string) => string;
  /** Keeps what files bring by a key that changes with them, so that a known file is not started to be asked. */
  readonly definitions: {
    readonly read: (key: string) => string | undefined;
    readonly write: (key: string, text: string) => void;
  };
  readonly digest: (text: string) => string;
  /** Names this program; another one may read files otherwise. */
  readonly programVersion: string;
  readonly session: (sessionId: string) => CodeSession;
  /** What a tool asks for while it works: its history, the catalogue, settings, the end of its run. */
  readonly wish: (sessionId: string, name: string) => Promise<Json | undefined>;
  readonly neutralise: (text: string, channel: TextChannel) => string;
  /** What a hook may add before a plan, as `memory` reads it; throws nothing. */
  readonly readPlan: (answer: JsonObject, plugin: PlanPlugin) => PlanText;
  readonly onNotice: (sentence: string) => void;
  /** Milliseconds; ours without this. */
  readonly limits?: { readonly loadMs?: number; readonly hookMs?: number };
};

/** Who adds something before a plan, and to which session. */
export type PlanPlugin = { readonly name: string; readonly mayReplaceRecall: boolean; readonly sessionId: string };

/** Headings with texts; or a sentence about what is wrong. */
export type PlanText =
  | { readonly ok: true; readonly sections: readonly { readonly heading: string; readonly text: string }[] }
  | { readonly ok: false; readonly problem: string };
