/** Routes of commands: each builds exactly one command from the request, sends it, and answers with its value. */
import type { z } from "@hono/zod-openapi";
import { type Command, type CommandType, commandRoutes, type Route } from "@kedge/protocol";
import { answerJson, valueIn } from "../http/answer-json.ts";
import { inputOfRoute, pathFields, readInput } from "../http/route-input.ts";
import type { ServerApp } from "../http/server-environment.ts";
import { commandAnswers } from "../schemas/command-answers.ts";
import { commandFields } from "../schemas/host-command-fields.ts";
import { runOptions } from "../schemas/words.ts";
import { describeRoute } from "./describe-route.ts";

/** These ask for more than a command from a body, and have files of their own. */
const ownRoutes: ReadonlySet<CommandType> = new Set<CommandType>([
  "prompt.submit",
  "permission.answer",
  "question.answer",
]);

/** Fields that a request may leave out, though the command has them. */
const requestFields: { readonly [Type in CommandType]?: z.ZodObject } = {
  "run.continue": commandFields["run.continue"].extend({ options: runOptions.default({}) }),
};

const aliases: readonly { readonly type: CommandType; readonly route: Route }[] = [
  { type: "config.set", route: { method: "PUT", path: commandRoutes["config.set"].path } },
];

export function addCommandRoutes(app: ServerApp): void {
  // The keys of the table are the types of commands.
  const types = (Object.keys(commandRoutes) as CommandType[]).filter((type) => !ownRoutes.has(type));
  const routes = types.map((type) => ({ type, route: commandRoutes[type], operationId: type as string }));
  const all = [...routes, ...aliases.map((alias) => ({ ...alias, operationId: `${alias.type}.alias` }))];
  // Of two routes that fit, the first one is taken: names before fields.
  for (const entry of all.toSorted((left, right) => fieldCount(left.route) - fieldCount(right.route))) {
    addCommandRoute(app, entry);
  }
}

function fieldCount({ path }: Route): number {
  return pathFields(path).length;
}

type CommandRoute = { readonly type: CommandType; readonly route: Route; readonly operationId: string };

function addCommandRoute(app: ServerApp, { type, route, operationId }: CommandRoute): void {
  const input = inputOfRoute(route, requestFields[type] ?? commandFields[type]);
  const summary = `Carries out the command ${type}.`;
  describeRoute(app, route, { operationId, summary, input, answer: commandAnswers[type], command: type });
  app.on(route.method, route.path, async (context) => {
    // The schemas are held to the types of the commands at compile time.
    const command = { type, ...readInput(context, input) } as Command;
    return answerJson(valueIn(await context.get("door").send(command)));
  });
}
