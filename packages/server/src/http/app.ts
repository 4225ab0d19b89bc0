/** The HTTP interface of kedge behind its admissions: whose place of work a request is about, and all routes. */
import { FailureError, headerNames, isSpokenProtocol, protocolVersion, routeOf } from "@kedge/protocol";
import { commandRows, readRows } from "@kedge/protocol/rows";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { createMiddleware } from "hono/factory";
import { createProcessEvents } from "../places/process-events.ts";
import { readableSession } from "../places/stored-session.ts";
import { addAnswerRoutes } from "../routes/answer-routes.ts";
import { addCommandRoutes } from "../routes/command-routes.ts";
import { addCookieRoute } from "../routes/cookie-route.ts";
import { addEventRoutes, addProcessEventRoutes } from "../routes/event-routes.ts";
import { addPairRoute } from "../routes/pair-route.ts";
import { addHealthRoute, addProcessRoutes } from "../routes/process-routes.ts";
import { addPromptRoutes } from "../routes/prompt-routes.ts";
import { addQueryRoutes } from "../routes/query-routes.ts";
import { addReadRoutes } from "../routes/read-routes.ts";
import { addWebRoutes } from "../routes/web-routes.ts";
import { answerProblem } from "./answer-json.ts";
import type { AppParts } from "./app-parts.ts";
import { demandScope, openCallerDoor } from "./caller-door.ts";
import { ProblemError, problemOfFailure, problemOfShortage } from "./failure-status.ts";
import { createIdempotency } from "./idempotency.ts";
import { readBody } from "./read-body.ts";
import type { ServerApp, ServerContext, ServerEnvironment } from "./server-environment.ts";
import { createServerRoutes, type ServerRoutes } from "./server-routes.ts";

const compressedFromBytes = 1024;

export function createApp(parts: AppParts): ServerApp {
  const app: ServerApp = new Hono<ServerEnvironment>();
  const routes = createServerRoutes(app);
  app.onError((error) => {
    if (error instanceof ProblemError) return answerProblem(error.problem);
    if (error instanceof FailureError) return answerProblem(problemOfFailure(error.failure));
    const shortage = problemOfShortage(error);
    if (shortage !== undefined) return answerProblem(shortage);
    parts.onBug(error);
    const message = "Internal server error. See the server log.";
    return answerProblem({ status: 500, code: "bug", message, recovery: "Report it and include the log." });
  });
  app.notFound((context) => answerUnknown(app, context));
  app.use(namingProtocol);
  app.use(compress({ encoding: "gzip", threshold: compressedFromBytes }));
  addHealthRoute(routes, parts);
  addCookieRoute(routes, parts);
  addPairRoute(routes, parts);
  addWebRoutes(app, parts);
  app.use(refusingNobody);
  app.use(refusingStrangers);
  addProcessRoutes(routes, parts);
  listenToProcess(routes, parts);
  app.use(refusingReaders);
  app.use(readBody);
  app.use(createIdempotency(parts.now));
  app.use(choosingInstance(parts));
  app.use(routeOf(readRows.events).path, openingEvents);
  addEventRoutes(routes, (context) => context.get("events"));
  addReadRoutes(routes);
  addQueryRoutes(routes);
  addPromptRoutes(routes);
  addCommandRoutes(routes, parts.commands);
  addAnswerRoutes(routes);
  return app;
}

/** Every answer says which language it is in, and keeps what admission said: that it depends on the origin. */
const namingProtocol = createMiddleware<ServerEnvironment>(async (context, next) => {
  await next();
  context.res.headers.set(headerNames.protocol, protocolVersion);
  if (context.res.headers.has("vary")) context.res.headers.append("vary", "Origin");
});

/** A client of another language would be misread, or would misread the answer. */
const refusingStrangers = createMiddleware<ServerEnvironment>(async (context, next) => {
  const theirs = context.req.header(headerNames.protocol);
  if (theirs === undefined || isSpokenProtocol(theirs)) return next();
  const message = `The client uses protocol ${theirs}; this server uses ${protocolVersion}.`;
  const recovery = "Use the same version of kedge on both sides.";
  return answerProblem(problemOfFailure({ code: "configuration", message, recovery, retryable: false }));
});

/** Callers without a credential are admitted to what is open to all, which lies before this. */
const refusingNobody = createMiddleware<ServerEnvironment>(async (context, next) => {
  if (context.env.caller.by !== "nobody") return next();
  return answerProblem({ status: 401, code: "unauthorized", message: "Authentication required." });
});

/** Whoever may only read changes nothing, so that what they send need not be read. */
const refusingReaders = createMiddleware<ServerEnvironment>(async (context, next) => {
  const { method, path } = context.req;
  const ticket = routeOf(commandRows["ticket.issue"]);
  const isReading = method === "GET" || method === "HEAD" || (method === ticket.method && path === ticket.path);
  if (!isReading) demandScope(context.env.caller, "prompt", `${method} ${path}`);
  await next();
});

/** In `GET /session` the parameter is a filter, as everywhere else where a route has a field of that name. */
const listPath = "/session";

function choosingInstance(parts: AppParts) {
  const { instances } = parts;
  return createMiddleware<ServerEnvironment>(async (context, next) => {
    const { req } = context;
    const header = req.header(headerNames.directory);
    const parameter = req.path === listPath && req.method === "GET" ? undefined : req.query("directory");
    const found = await instances.find(header === undefined ? parameter : decoded(header));
    if (!found.ok) return answerProblem(found.problem);
    const { instance } = found;
    const leave = instance.enter();
    const leaveApprovers = instance.approvers.enter(context.env.caller);
    try {
      context.set("instance", instance);
      context.set("door", openCallerDoor({ ...parts, caller: context.env.caller, instance }));
      return await next();
    } finally {
      leave();
      leaveApprovers();
    }
  });
}

const openingEvents = createMiddleware<ServerEnvironment>(async (context, next) => {
  const instance = context.get("instance");
  const session = context.req.query("session");
  // The stream of one that does not exist would be silent for ever.
  if (session !== undefined) await readableSession({ instance, caller: context.env.caller }, session);
  context.set("events", await instance.events());
  await next();
});

/** Who listens to all places of work is there for questions of each of them. */
function listenToProcess(routes: ServerRoutes, { instances, now, onBug }: AppParts): void {
  const events = createProcessEvents({ instances, now, onFailure: onBug });
  const entering = createMiddleware<ServerEnvironment>(async (context, next) => {
    demandScope(context.env.caller, "approve", "Listening to all projects");
    const { leave } = await events.enter();
    const leaveApprovers = instances.approvers.enter(context.env.caller);
    try {
      await next();
    } finally {
      leave();
      leaveApprovers();
    }
  });
  for (const row of [readRows.processEvents, readRows.replication]) routes.app.use(routeOf(row).path, entering);
  addProcessEventRoutes(routes, events.hub);
}

/** Headers carry only Latin letters, so other ones come as in an address. */
function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    const message = `The header ${headerNames.directory} must be URI-encoded.`;
    throw new ProblemError({ status: 400, code: "directory", message, recovery: "Encode it with encodeURIComponent." });
  }
}

function answerUnknown(app: ServerApp, { req }: ServerContext): Response {
  const allowed = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) =>
    app.routes.some((route) => route.method === method && fits(route.path, req.path)),
  );
  const message = `Unknown route: ${req.method} ${req.path}.`;
  if (allowed.length === 0)
    return answerProblem({ status: 404, code: "not_found", message, recovery: "See GET /doc." });
  const headers = { allow: allowed.join(", ") };
  return answerProblem({ status: 405, code: "method_not_allowed", message, recovery: "See GET /doc.", headers });
}

function fits(pattern: string, path: string): boolean {
  const words = pattern.split("/");
  const given = path.split("/");
  return words.length === given.length && words.every((word, index) => word.startsWith(":") || word === given[index]);
}
