/** Enters a route into the OpenAPI document, with the schemas that check its requests. */
import { z } from "@hono/zod-openapi";
import { type Command, type CommandType, headerNames, type Route, scopeOfCommand } from "@kedge/protocol";
import type { RouteInput } from "../http/route-input.ts";
import type { ServerApp } from "../http/server-environment.ts";
import { problem } from "../schemas/words.ts";

export type Description = {
  readonly operationId: string;
  readonly summary: string;
  /** None for an answer without a body. */
  readonly answer?: z.ZodType;
  readonly input?: RouteInput;
  /** Beside the body. */
  readonly query?: z.ZodObject;
  /** The one command that a state-changing route carries out. */
  readonly command?: CommandType;
  /** About the server process, and no place of work. */
  readonly isOfProcess?: true;
  /** Open to those without a credential too. */
  readonly isOpenToAll?: true;
  readonly status?: 200 | 202 | 204;
  /** Media types that the answer can have instead of JSON. */
  readonly otherTypes?: readonly string[];
};

export const credentialScheme = "credential";

const jsonOf = (schema: z.ZodType) => ({ "application/json": { schema } });

export function describeRoute(app: ServerApp, route: Route, description: Description): void {
  const { operationId, summary, answer, input, command, status = 200, otherTypes = [] } = description;
  const headers = {
    ...(description.isOfProcess !== true && { [headerNames.directory]: z.string().optional() }),
    ...(command !== undefined && { [headerNames.idempotencyKey]: z.string().optional() }),
  };
  const query = description.query ?? (input?.isInQuery === true ? input.rest : undefined);
  const body = input === undefined || input.isInQuery || isEmpty(input.rest) ? undefined : input.rest;
  app.openAPIRegistry.registerPath({
    // The methods of routes are those of HTTP in capitals.
    method: route.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete",
    path: route.path.replaceAll(/:(\w+)/g, "{$1}"),
    operationId,
    summary,
    security: description.isOpenToAll === true ? [] : [{ [credentialScheme]: [] }],
    // The least that is needed; a free mode needs more.
    ...(command !== undefined && { "x-kedge-command": command, "x-kedge-scope": leastScope(command) }),
    request: {
      ...(input !== undefined && !isEmpty(input.params) && { params: input.params }),
      ...(query !== undefined && !isEmpty(query) && { query }),
      headers: z.object(headers),
      ...(body !== undefined && { body: { content: jsonOf(body), required: !body.safeParse({}).success } }),
    },
    responses: {
      [status]: {
        description: "The answer.",
        ...(answer !== undefined && {
          content: {
            ...jsonOf(answer),
            ...Object.fromEntries(otherTypes.map((type) => [type, { schema: { type: "string" as const } }])),
          },
        }),
      },
      "4XX": { description: "Refused, or not possible as things are.", content: jsonOf(problem) },
      "5XX": { description: "Failed here, at the vendor or on the disk.", content: jsonOf(problem) },
    },
  });
}

function leastScope(type: CommandType) {
  // Beside the type only the mode is looked at, which may be absent.
  return scopeOfCommand({ type } as Command);
}

function isEmpty(schema: z.ZodObject): boolean {
  return Object.keys(schema.shape).length === 0;
}
