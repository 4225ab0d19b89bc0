/** What middleware of the server leaves for the routes behind it. */

import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import type { Caller } from "../admission/admissions.ts";
import type { EventHub } from "../events/index.ts";
import type { Instance } from "../places/instance.ts";
import type { CallerDoor } from "./caller-door.ts";

export type ServerEnvironment = {
  Bindings: HttpBindings & { readonly caller: Caller };
  Variables: {
    /** Whose place of work the request is about. Not there for routes of the process. */
    readonly instance: Instance;
    /** Commands and queries in the place of work, with the rights of the caller. */
    readonly door: CallerDoor;
    /** There for the route of events alone. */
    readonly events: EventHub;
    /** The text of the body, empty for none. */
    readonly bodyText: string;
    /** What the text says; an empty object for none. */
    readonly body: unknown;
  };
};

export type ServerApp = Hono<ServerEnvironment>;

export type ServerContext = Context<ServerEnvironment>;
