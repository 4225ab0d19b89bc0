/** Serves one function from requests to answers, behind the admissions of the server: host, origin, process, credential. */
import { getRequestListener, RequestError } from "@hono/node-server";
import { includesScope, type Scope } from "@kedge/protocol";
import { admitRequests, refuse } from "./admission/admit-requests.ts";
import { attemptText } from "./admission/attempt-report.ts";
import { type AdmissionsParts, createAdmissions } from "./admission/create-admissions.ts";
import { newToken } from "./admission/secret-words.ts";
import { answerProblem } from "./http/answer-json.ts";
import { hostnameDefault, type ListeningServer, type ListenOptions, listen } from "./listen.ts";

export type ServeFetchParts = ListenOptions &
  Omit<AdmissionsParts, "boundTo" | "tokens" | "openRoutes" | "procDirectory" | "onAgentAttempt"> & {
    readonly fetch: (request: Request) => Promise<Response>;
    /** What a credential of the user must allow. */
    readonly scope: Scope;
    readonly onNotice: (sentence: string) => void;
    readonly onBug: (error: unknown) => void;
  };

export type FetchServer = Pick<ListeningServer, "url" | "warnings" | "close"> & { readonly token: string };

/** Throws a FailureError when it may not or cannot serve there. */
export async function serveFetch(parts: ServeFetchParts): Promise<FetchServer> {
  const { hostname = hostnameDefault, onBug } = parts;
  const token = newToken();
  const admissions = createAdmissions({
    ...parts,
    boundTo: hostname,
    onAgentAttempt: (attempt) => parts.onNotice(attemptText(attempt)),
    tokens: [{ token, scope: parts.scope, name: "start" }],
  });
  const answer = getRequestListener(parts.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      if (error instanceof RequestError)
        return answerProblem({ status: 400, code: "bad_request", message: "Malformed request." });
      onBug(error);
      return answerProblem({ status: 500, code: "bug", message: "Internal server error. See the server log." });
    },
  });
  const listeners = admitRequests(admissions, {
    onRequest(request, response, caller) {
      if (includesScope(caller.scope, parts.scope)) answer(request, response).catch(onBug);
      else {
        const message = `This requires the scope ${parts.scope}; the credential has ${caller.scope}.`;
        refuse(response, { status: 403, code: "scope", message });
      }
    },
    onProblem: onBug,
  });
  const { url, warnings, close } = await listen(parts, listeners);
  return { url, warnings, close, token };
}
