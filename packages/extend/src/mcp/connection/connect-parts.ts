/** What connections are given of the machine, of sign-ins and of people. */
import type { FetchLike } from "@modelcontextprotocol/client";
import type { ServerAuthorization } from "../authorization/server-authorization.ts";
import type { McpServer } from "../server.ts";
import type { ServerNetwork } from "./guarded-fetch.ts";
import type { ServerLog } from "./server-log.ts";

/**
 * Where sign-in plugs in. Undefined for a server that is used without one: when it wants one, it is `needs-auth`. The
 * requests of a sign-in go the way of the server's own. No browser opens unless a person agreed.
 */
export type Authorize = (server: McpServer, fetch: FetchLike) => Promise<ServerAuthorization | undefined>;

export type ElicitRequest =
  | { readonly mode: "form"; readonly message: string; readonly requestedSchema: unknown }
  | { readonly mode: "url"; readonly message: string; readonly url: string; readonly elicitationId: string };

export type ElicitAnswer =
  | { readonly action: "accept"; readonly content?: { readonly [name: string]: string | number | boolean | string[] } }
  | { readonly action: "decline" | "cancel" };

export type Elicit = (request: ElicitRequest, signal: AbortSignal) => Promise<ElicitAnswer>;

export const listKinds = ["tools", "prompts", "resources"] as const;

export type ListKind = (typeof listKinds)[number];

export type ConnectParts = {
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Without secrets; ties what is started to this kedge. */
  readonly environment: () => { readonly [name: string]: string };
  readonly cwd: string;
  /** Why a server may not ask an address. */
  readonly refuseAddress: (server: McpServer, url: string, addresses?: readonly string[]) => string | undefined;
  readonly network?: ServerNetwork;
  readonly authorize?: Authorize;
  /** Without it every question of a server is declined. */
  readonly elicit?: Elicit;
  /** A page that a question led to is done with. */
  readonly elicitationCompleted?: (elicitationId: string) => void;
  readonly listChanged?: (what: ListKind) => void;
  /** A task is in another state than it was. */
  readonly taskUpdated?: (taskId: string) => void;
  readonly resourceUpdated?: (uri: string) => void;
  readonly log: ServerLog;
};
