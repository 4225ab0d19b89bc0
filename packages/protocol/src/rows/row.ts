/** What a row says of a command, a query or a read: where it is found over HTTP, who may use it, what goes in and out. */
import type { Fields, Schema } from "../json/schema.ts";
import type { Scope } from "../wire/scope.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Fields that the path names are put into it. All others go as JSON into the body, or for `GET` and `DELETE` as text
 * into the query string.
 */
export type Route = { readonly method: Method; readonly path: string };

export type RouteText = `${Method} /${string}`;

export type CommandRow = {
  readonly route: RouteText;
  /** The least scope that may send it; a mode that asks less needs more, see `scopeOfCommand`. */
  readonly scope: Scope;
  readonly fields: Fields;
  readonly answer: Schema<object>;
  /** A stored session that is not open is resumed first. */
  readonly needsOpenSession?: true;
};

export type CommandRows = { readonly [type: string]: CommandRow };

export type QueryRow = {
  readonly route: RouteText & `GET ${string}`;
  readonly scope: Scope;
  readonly fields: Fields;
  readonly answer: Schema<object>;
};

export type QueryRows = { readonly [type: string]: QueryRow };

/** What is read of stored sessions and of the server itself, without being a query. */
export type ReadRow = {
  readonly route: RouteText & `GET ${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly fields: Fields;
  readonly answer: Schema<object>;
};

export function routeOf({ route }: { readonly route: RouteText }): Route {
  const space = route.indexOf(" ");
  // What stands before the first space is the method, by the type of the text.
  return { method: route.slice(0, space) as Method, path: route.slice(space + 1) };
}
