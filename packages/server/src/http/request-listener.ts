/** Hands requests that were admitted to the routes, together with who sent them. */
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Caller } from "../admission/admissions.ts";
import type { AdmittedApp } from "../admission/admit-requests.ts";
import { answerProblem } from "./answer-json.ts";
import type { ServerApp } from "./server-environment.ts";

/** The caller was admitted before, and goes along to the routes. */
export function requestListener(app: ServerApp, onBug: (error: unknown) => void): AdmittedApp["onRequest"] {
  const callers = new WeakMap<object, Caller>();
  const answer: Parameters<typeof getRequestListener>[0] = (request, bindings) =>
    app.fetch(request, { ...bindings, caller: callers.get(bindings.incoming) });
  const listener = getRequestListener(answer, {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      // What cannot be read as a request of the web is the fault of whoever sent it.
      if (error instanceof RequestError)
        return answerProblem({ status: 400, code: "bad_request", message: unreadable });
      onBug(error);
      return answerProblem({ status: 500, code: "bug", message: "Internal server error. See the server log." });
    },
  });
  return (request, response, caller) => {
    callers.set(request, caller);
    listener(request, response).catch(onBug);
  };
}

const unreadable = "Malformed request.";
