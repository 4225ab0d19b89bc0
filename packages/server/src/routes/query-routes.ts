/** Routes of queries: each asks one question and answers with its value. */
import { z } from "@hono/zod-openapi";
import { type ExportedFormat, type Query, type QueryType, queryRoutes } from "@kedge/protocol";
import { answerJson, answerText, valueIn } from "../http/answer-json.ts";
import { inputOfRoute, pathFields, readInput } from "../http/route-input.ts";
import type { ServerApp } from "../http/server-environment.ts";
import { queryAnswers } from "../schemas/query-answers.ts";
import { queryFields } from "../schemas/query-fields.ts";
import { describeRoute } from "./describe-route.ts";

const mediaTypes: { readonly [Format in ExportedFormat]: string } = {
  json: "application/json",
  jsonl: "application/x-ndjson",
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
};

export function addQueryRoutes(app: ServerApp): void {
  // The keys of the table are the types of queries.
  const types = (Object.keys(queryRoutes) as QueryType[]).filter((type) => type !== "session.export");
  // Of two routes that fit, the first one is taken: names before fields.
  const fieldCount = (type: QueryType) => pathFields(queryRoutes[type].path).length;
  for (const type of types.toSorted((left, right) => fieldCount(left) - fieldCount(right))) addQueryRoute(app, type);
  addExportRoute(app);
}

function addQueryRoute(app: ServerApp, type: QueryType): void {
  const route = queryRoutes[type];
  const input = inputOfRoute(route, queryFields[type]);
  const summary = `Answers the query ${type}.`;
  describeRoute(app, route, { operationId: type, summary, input, answer: queryAnswers[type] });
  app.get(route.path, async (context) => {
    // The schemas are held to the types of the queries at compile time.
    const query = { type, ...readInput(context, input) } as Query;
    return answerJson(valueIn(await context.get("door").ask(query)));
  });
}

/** With `download` the file itself, for a browser to save and never to show. */
function addExportRoute(app: ServerApp): void {
  const type = "session.export";
  const route = queryRoutes[type];
  const input = inputOfRoute(route, queryFields[type].extend({ download: z.boolean().optional() }));
  describeRoute(app, route, {
    operationId: type,
    summary: "Answers the query session.export; with download, sends the file itself.",
    input,
    answer: queryAnswers[type],
    otherTypes: ["application/x-ndjson", "text/markdown", "text/html"],
  });
  app.get(route.path, async (context) => {
    const { download, ...fields } = readInput(context, input);
    // As above.
    const query = { type, ...fields } as Extract<Query, { type: typeof type }>;
    const { text } = valueIn(await context.get("door").ask(query));
    if (download !== true) return answerJson({ text });
    return answerText(text, {
      "content-type": mediaTypes[query.format],
      "content-disposition": `attachment; filename="${query.sessionId}.${query.format}"`,
    });
  });
}
