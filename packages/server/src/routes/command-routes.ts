/** Routes of commands: each builds exactly one command from the request, sends it, and answers with its value. */
import { type Command, type CommandRows, routeOf } from "@kedge/protocol";
import { answerJson, valueIn } from "../http/answer-json.ts";
import { byFieldCount, type ServerRoutes } from "../http/server-routes.ts";

/** These ask for more than a command from a body, and have files of their own. */
const ownRoutes: ReadonlySet<string> = new Set(["prompt.submit", "permission.answer", "question.answer"]);

export function addCommandRoutes(routes: ServerRoutes, rows: CommandRows): void {
  const entries = Object.entries(rows)
    .filter(([type]) => !ownRoutes.has(type))
    .map(([type, row]) => ({ ...row, type, operationId: type }));
  const aliases = entries
    .filter(({ type }) => type === "config.set")
    .map((row) => ({ ...row, route: "PUT /config" as const, operationId: `${row.type}.alias` }));
  for (const { type, operationId, scope, fields, answer, ...row } of [...entries, ...aliases].toSorted(byFieldCount)) {
    const summary = `Run the command ${type}.`;
    routes.add(
      { route: routeOf(row), operationId, summary, fields, answer, command: { type, scope } },
      async (context, given) => {
        // The fields were checked against the row that the type of the command derives from.
        const command = { type, ...given } as Command;
        return answerJson(valueIn(await context.get("door").send(command)));
      },
    );
  }
}
