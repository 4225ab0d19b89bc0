/** Adds a route to the server and to its document in one step, so that neither is ever without the other. */
import type { Fields, ReadRow, ValueOfFields } from "@kedge/protocol";
import { routeOf } from "@kedge/protocol";
import { type DescribedRoute, openApiDocument } from "./open-api.ts";
import { inputOfRoute, readInput } from "./route-input.ts";
import type { ServerApp, ServerContext } from "./server-environment.ts";

export type RouteDescription<Given extends Fields> = Omit<DescribedRoute, "input"> & {
  readonly fields: Given;
  /** Fields that stand in the query string although the request has a body. */
  readonly queryNames?: readonly (keyof Given & string)[];
};

export type RouteHandler<Given extends Fields> = (
  context: ServerContext,
  fields: ValueOfFields<Given>,
) => Response | Promise<Response>;

export interface ServerRoutes {
  readonly app: ServerApp;
  add<Given extends Fields>(description: RouteDescription<Given>, handler: RouteHandler<Given>): void;
  addRead<Row extends ReadRow>(row: Row, handler: RouteHandler<Row["fields"]>, more?: ReadDetails): void;
  /** Of all routes that were added so far. */
  document(): object;
}

type ReadDetails = Pick<DescribedRoute, "isOfProcess" | "isOpenToAll" | "otherTypes">;

export function createServerRoutes(app: ServerApp): ServerRoutes {
  const described: DescribedRoute[] = [];

  function add<Given extends Fields>(description: RouteDescription<Given>, handler: RouteHandler<Given>): void {
    const { fields, queryNames, ...rest } = description;
    const input = inputOfRoute(rest.route, fields, queryNames);
    described.push({ ...rest, input });
    app.on(rest.route.method, rest.route.path, (context) =>
      // What was read was checked against the schemas of these very fields.
      handler(context, readInput(context, input) as ValueOfFields<Given>),
    );
  }

  return {
    app,
    add,
    addRead: ({ route, ...row }, handler, more = {}) => add({ route: routeOf({ route }), ...row, ...more }, handler),
    document: () => openApiDocument(described),
  };
}

/** Of two routes that fit a request the first one is taken, so that those with more names and fewer fields come first. */
export function byFieldCount(left: { readonly route: string }, right: { readonly route: string }): number {
  return fieldCount(left) - fieldCount(right);
}

function fieldCount({ route }: { readonly route: string }): number {
  return route.split(":").length;
}
