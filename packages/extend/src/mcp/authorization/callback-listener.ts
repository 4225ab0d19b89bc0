/** Waits on this machine for a browser that comes back from signing in: one address, one answer. */
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { SignInProblem } from "./sign-in-problem.ts";

export type Callback = { readonly code: string; readonly iss?: string };

export type CallbackListener = AsyncDisposable & {
  readonly redirectUri: string;
  /** A short address on this machine that leads to the page, for screens that would break the long one into lines. */
  leadTo(page: URL): URL;
  /** Throws a SignInProblem for a refusal, and the signal's reason when it fires. */
  wait(signal: AbortSignal): Promise<Callback>;
};

export type CallbackOptions = {
  /** What must come back unchanged. */
  readonly state: string;
  /** What only the person is shown: whoever else asks this machine learns nothing of the sign-in. */
  readonly entrance: string;
  /** Tried in this order; 0 lets the system choose. */
  readonly ports: readonly number[];
};

const hostname = "127.0.0.1";
const path = "/callback";

/** Throws a SignInProblem when none of the ports can be had. */
export async function listenForCallback({ state, entrance, ports }: CallbackOptions): Promise<CallbackListener> {
  const arrived = Promise.withResolvers<Callback>();
  // Whoever opened the listener may give up before anybody waits.
  arrived.promise.catch(() => undefined);
  const server = createServer(answer);
  const port = await firstFree(server, ports);
  const redirectUri = `http://${hostname}:${port}${path}`;

  let page: URL | undefined;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? "", redirectUri);
    const isHere = request.method === "GET" && request.headers.host === `${hostname}:${port}`;
    if (isHere && page !== undefined && isSame(url?.pathname ?? "", `/${entrance}`))
      response
        .writeHead(302, { location: page.href, "cache-control": "no-store", "referrer-policy": "no-referrer" })
        .end();
    else if (!isHere || url?.pathname !== path) reply(response, 404, "Not found.");
    // A page that anybody made the browser open: the sign-in that is waiting stays as it is.
    else if (!isSame(url.searchParams.get("state") ?? "", state))
      reply(response, 400, "This sign-in was not started by kedge.");
    else conclude(url.searchParams, response);
  }

  function conclude(query: URLSearchParams, response: ServerResponse): void {
    const code = query.get("code");
    const iss = query.get("iss");
    if (code === null) {
      arrived.reject(new SignInProblem(refusalOf(query)));
      reply(response, 400, "Sign-in failed. See kedge for details.");
    } else {
      arrived.resolve({ code, ...(iss !== null && { iss }) });
      reply(response, 200, "You can close this page and return to kedge.");
    }
  }

  return {
    redirectUri,
    leadTo(to) {
      page = to;
      return new URL(`/${entrance}`, redirectUri);
    },
    async wait(signal) {
      signal.throwIfAborted();
      const aborted = Promise.withResolvers<never>();
      const onAbort = () => aborted.reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        return await Promise.race([arrived.promise, aborted.promise]);
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function firstFree(server: Server, ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    const bound = await new Promise<number | undefined>((resolve) => {
      const onError = () => {
        server.off("listening", onListening);
        resolve(undefined);
      };
      const onListening = () => {
        server.off("error", onError);
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : undefined);
      };
      server.once("error", onError);
      server.once("listening", onListening);
      server.listen({ host: hostname, port, exclusive: true });
    });
    if (bound !== undefined) return bound;
  }
  throw new SignInProblem(`Port ${ports.join(", ")} is in use, and the sign-in needs it.`);
}

function refusalOf(query: URLSearchParams): string {
  const error = query.get("error") ?? "";
  const known: { readonly [error: string]: string } = {
    access_denied: "Access was denied in the browser.",
    invalid_scope: "The server does not support the requested scope.",
  };
  if (Object.hasOwn(known, error)) return known[error] ?? "";
  const word = /^[a-z_]{1,40}$/.test(error) ? error : "no reason given";
  return `The sign-in was refused: ${word}.`;
}

function reply(response: ServerResponse, status: number, sentence: string): void {
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
      connection: "close",
    })
    .end(`<!doctype html><title>kedge</title><p>${sentence}</p>`);
}

function isSame(given: string, expected: string): boolean {
  const [first, second] = [Buffer.from(given), Buffer.from(expected)];
  return first.length === second.length && timingSafeEqual(first, second);
}
