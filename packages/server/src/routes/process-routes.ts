/** Routes about the server process itself: whether it lives, what it has open, and the document of all routes. */
import { protocolVersion } from "@kedge/protocol";
import { readRows } from "@kedge/protocol/rows";
import { answerJson, answerText } from "../http/answer-json.ts";
import type { AppParts } from "../http/app-parts.ts";
import type { ServerRoutes } from "../http/server-routes.ts";

/** Whoever shows no credential learns that a kedge is here, and which language it speaks. */
export function addHealthRoute(routes: ServerRoutes, { self }: AppParts): void {
  routes.addRead(
    readRows.health,
    (context) => {
      const { projectHash, version, pid } = self;
      const isKnown = context.env.caller.by !== "nobody";
      return answerJson({ ok: true, protocol: protocolVersion, ...(isKnown && { projectHash, version, pid }) });
    },
    { isOfProcess: true, isOpenToAll: true },
  );
}

export function addProcessRoutes(routes: ServerRoutes, { instances, self }: AppParts): void {
  const isOfProcess = true;
  routes.addRead(
    readRows.process,
    () =>
      answerJson({
        ...self,
        protocol: protocolVersion,
        instances: instances.list().map(({ directory, projectId, openedAt, clients }) => {
          return { directory, projectId, openedAt, clients: clients() };
        }),
      }),
    { isOfProcess },
  );

  let text: string | undefined;
  routes.addRead(
    readRows.document,
    () => {
      text ??= JSON.stringify(routes.document());
      return answerText(text, { "content-type": "application/json" });
    },
    { isOfProcess },
  );
}
