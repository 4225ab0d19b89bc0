/** Routes about the server process itself: whether it lives, what it has open, and the document of all routes. */
import { z } from "@hono/zod-openapi";
import { protocolVersion, readRoutes } from "@kedge/protocol";
import { answerJson, answerText } from "../http/answer-json.ts";
import type { AppParts } from "../http/app-parts.ts";
import type { ServerApp } from "../http/server-environment.ts";
import { time } from "../schemas/words.ts";
import { credentialScheme, describeRoute } from "./describe-route.ts";

const health = z.object({
  ok: z.literal(true),
  protocol: z.string(),
  projectHash: z.string().optional(),
  version: z.string().optional(),
  pid: z.number().optional(),
});

const process = z.object({
  pid: z.number(),
  version: z.string(),
  protocol: z.string(),
  projectHash: z.string(),
  startedAt: time,
  directory: z.string(),
  instances: z.array(z.object({ directory: z.string(), projectId: z.string(), openedAt: time, clients: z.number() })),
});

/** Whoever shows no credential learns that a kedge is here, and which language it speaks. */
export function addHealthRoute(app: ServerApp, { self }: AppParts): void {
  describeRoute(app, readRoutes.health, {
    operationId: "server.health",
    summary: "That the server lives; with a credential also what it serves.",
    ...{ answer: health, isOfProcess: true, isOpenToAll: true },
  });
  app.get(readRoutes.health.path, (context) => {
    const { projectHash, version, pid } = self;
    const isKnown = context.env.caller.by !== "nobody";
    return answerJson({ ok: true, protocol: protocolVersion, ...(isKnown && { projectHash, version, pid }) });
  });
}

export function addProcessRoutes(app: ServerApp, { instances, self }: AppParts): void {
  describeRoute(app, readRoutes.process, {
    operationId: "server.read",
    summary: "The server process and the places of work it has open.",
    ...{ answer: process, isOfProcess: true },
  });
  app.get(readRoutes.process.path, () =>
    answerJson({
      ...self,
      protocol: protocolVersion,
      instances: instances.list().map(({ directory, projectId, openedAt, clients }) => {
        return { directory, projectId, openedAt, clients: clients() };
      }),
    }),
  );

  describeRoute(app, readRoutes.document, {
    operationId: "server.document",
    summary: "This document.",
    ...{ answer: z.looseObject({ openapi: z.string() }), isOfProcess: true },
  });
  app.openAPIRegistry.registerComponent("securitySchemes", credentialScheme, { type: "http", scheme: "bearer" });
  let text: string | undefined;
  app.get(readRoutes.document.path, () => {
    const head = { openapi: "3.1.0", info: { title: "kedge", version: protocolVersion } };
    text ??= JSON.stringify(app.getOpenAPI31Document(head));
    return answerText(text, { "content-type": "application/json" });
  });
}
