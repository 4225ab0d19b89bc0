/** Routes of queries: each asks one question and answers with its value. */
import { type ExportedFormat, type Query, type QueryType, routeOf } from "@kedge/protocol";
import { queryRows, schema } from "@kedge/protocol/rows";
import { answerJson, answerText, valueIn } from "../http/answer-json.ts";
import { byFieldCount, type ServerRoutes } from "../http/server-routes.ts";

const mediaTypes: { readonly [Format in ExportedFormat]: string } = {
  json: "application/json",
  jsonl: "application/x-ndjson",
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
};

export function addQueryRoutes(routes: ServerRoutes): void {
  // The keys of the table are the types of queries.
  const types = (Object.keys(queryRows) as QueryType[]).filter((type) => type !== "session.export");
  for (const type of types.toSorted((left, right) => byFieldCount(queryRows[left], queryRows[right]))) {
    const { fields, answer, ...row } = queryRows[type];
    const summary = `Run the query ${type}.`;
    routes.add({ route: routeOf(row), operationId: type, summary, fields, answer }, async (context, given) => {
      // The fields were checked against the row that the type of the query derives from.
      const query = { type, ...given } as Query;
      return answerJson(valueIn(await context.get("door").ask(query)));
    });
  }
  addExportRoute(routes);
}

/** With `download` the file itself, for a browser to save and never to show. */
function addExportRoute(routes: ServerRoutes): void {
  const type = "session.export";
  const { fields, answer, ...row } = queryRows[type];
  routes.add(
    {
      route: routeOf(row),
      operationId: type,
      summary: "Run the query session.export; with download, send the file itself.",
      fields: { ...fields, download: schema.optional(schema.flag) },
      answer,
      otherTypes: ["application/x-ndjson", "text/markdown", "text/html"],
    },
    async (context, { download, ...query }) => {
      const { text } = valueIn(await context.get("door").ask<typeof type>({ type, ...query }));
      if (download !== true) return answerJson({ text });
      return answerText(text, {
        "content-type": mediaTypes[query.format],
        "content-disposition": `attachment; filename="${query.sessionId}.${query.format}"`,
      });
    },
  );
}
