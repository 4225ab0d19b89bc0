/** A server that gives out tokens as vendors do, over loopback: device codes, browser codes, renewal, exchange, revocation. */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly fields: { readonly [name: string]: string };
};

/** What it does next; a test changes it at any time. */
type AccountAnswers = {
  /** Answers to polls, first to last; `granted` when there are none left. */
  polls: ("authorization_pending" | "slow_down" | "access_denied" | "expired_token")[];
  /** What the person in the browser says. */
  consent: "granted" | "denied";
  refresh: "granted" | "revoked" | "down";
  /** What is given for a token, where a vendor wants that. */
  exchange: "granted" | "revoked" | "forbidden";
  /** How long a token lives. */
  tokenSeconds: number;
  /** Where the vendor says requests of the account go. */
  api?: string;
};

export type AccountServer = {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  readonly answers: AccountAnswers;
  close(): Promise<void>;
};

/** Refresh tokens are given out once: whoever uses one again loses the account, as at GitLab. */
type Memory = { code?: { readonly value: string; readonly challenge: string }; refresh?: string; count: number };

export async function startAccountServer(): Promise<AccountServer> {
  const requests: SeenRequest[] = [];
  const answers: AccountAnswers = {
    polls: [],
    consent: "granted",
    refresh: "granted",
    exchange: "granted",
    tokenSeconds: 3600,
  };
  const memory: Memory = { count: 0 };
  const server = createServer((request, response) => {
    void readFields(request).then((fields) => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      const seen = { method: request.method ?? "", path: url.pathname, headers: request.headers, fields };
      requests.push(seen);
      answer({ ...seen, query: url.searchParams }, { answers, memory, response, base });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: base,
    requests,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readFields(request: IncomingMessage): Promise<{ readonly [name: string]: string }> {
  let text = "";
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString("utf8");
  if (text === "") return {};
  if (request.headers["content-type"] === "application/json") return JSON.parse(text);
  return Object.fromEntries(new URLSearchParams(text));
}

type Call = SeenRequest & { readonly query: URLSearchParams };
type Scene = {
  readonly answers: AccountAnswers;
  readonly memory: Memory;
  readonly response: ServerResponse;
  readonly base: string;
};

function answer(call: Call, scene: Scene): ServerResponse {
  const { path, method } = call;
  if (/\/(?:device\/code|authorize_device|devicecode|device)$/.test(path)) return giveDeviceCode(scene);
  if (path === "/client/register")
    return send(scene, 200, { clientId: "registered", clientSecret: "registered-secret" });
  if (path === "/device_authorization") return giveAwsDeviceCode(scene);
  if (method === "GET" && /\/(?:authorize|auth)$/.test(path)) return askPerson(call, scene);
  if (/\/(?:token|access_token)$/.test(path) && method === "POST") return giveTokens(call, scene);
  if (path === "/api/v3/copilot_internal/v2/token") return giveCopilotToken(call, scene);
  if (path === "/federation/credentials") return giveRoleKeys(call, scene);
  return send(scene, 404, { error: "not_found" });
}

function giveDeviceCode(scene: Scene): ServerResponse {
  const code = { device_code: "device-code-1", user_code: "WDJB-MJHT", verification_uri: `${scene.base}/enter` };
  return send(scene, 200, { ...code, expires_in: 600, interval: 1 });
}

function giveAwsDeviceCode(scene: Scene): ServerResponse {
  const code = { deviceCode: "device-code-1", userCode: "WDJB-MJHT", verificationUri: `${scene.base}/enter` };
  return send(scene, 200, { ...code, expiresIn: 600, interval: 1 });
}

function askPerson({ query }: Call, scene: Scene): ServerResponse {
  const back = new URL(query.get("redirect_uri") ?? "");
  back.searchParams.set("state", query.get("state") ?? "");
  if (scene.answers.consent === "denied") back.searchParams.set("error", "access_denied");
  else {
    scene.memory.code = { value: randomUUID(), challenge: query.get("code_challenge") ?? "" };
    back.searchParams.set("code", scene.memory.code.value);
  }
  scene.response.writeHead(302, { location: back.href });
  return scene.response.end();
}

function giveTokens({ fields }: Call, scene: Scene): ServerResponse {
  const { answers, memory } = scene;
  const isAws = fields["grantType"] !== undefined;
  switch (fields["grant_type"] ?? fields["grantType"]) {
    case "urn:ietf:params:oauth:grant-type:device_code": {
      const refusal = answers.polls.shift();
      return refusal === undefined ? grant(scene, isAws) : send(scene, 400, { error: refusal });
    }
    case "authorization_code": {
      const { code } = memory;
      delete memory.code;
      const challenge = createHash("sha256")
        .update(fields["code_verifier"] ?? "")
        .digest("base64url");
      const isRight = code !== undefined && code.value === fields["code"] && code.challenge === challenge;
      return isRight ? grant(scene, isAws) : send(scene, 400, { error: "invalid_grant" });
    }
    case "refresh_token": {
      if (answers.refresh === "down") return send(scene, 503, {});
      const given = fields["refresh_token"] ?? fields["refreshToken"];
      const isRight = answers.refresh === "granted" && given === memory.refresh;
      return isRight ? grant(scene, isAws) : send(scene, 400, { error: "invalid_grant" });
    }
    default:
      return send(scene, 400, { error: "unsupported_grant_type" });
  }
}

function grant(scene: Scene, isAws: boolean): ServerResponse {
  const { answers, memory } = scene;
  memory.count += 1;
  const access = `access-token-${memory.count}`;
  memory.refresh = `refresh-token-${memory.count}`;
  const { refresh } = memory;
  const { tokenSeconds } = answers;
  if (isAws) return send(scene, 200, { accessToken: access, refreshToken: refresh, expiresIn: tokenSeconds });
  return send(scene, 200, {
    access_token: access,
    refresh_token: refresh,
    token_type: "bearer",
    expires_in: tokenSeconds,
  });
}

function giveCopilotToken({ headers }: Call, scene: Scene): ServerResponse {
  const { answers, memory } = scene;
  if (answers.exchange === "forbidden") return send(scene, 403, { message: "No access." });
  const isKnown = headers["authorization"] === `token access-token-${memory.count}`;
  if (answers.exchange === "revoked" || !isKnown) return send(scene, 401, { message: "Bad credentials." });
  const { tokenSeconds, api } = answers;
  return send(scene, 200, {
    token: `copilot-token-${randomUUID()}`,
    expires_at: Math.floor(Date.now() / 1000) + tokenSeconds,
    refresh_in: tokenSeconds - 60,
    ...(api !== undefined && { endpoints: { api } }),
  });
}

function giveRoleKeys({ headers }: Call, scene: Scene): ServerResponse {
  const { answers, memory } = scene;
  if (answers.exchange === "forbidden") return send(scene, 403, { message: "No access." });
  const isKnown = headers["x-amz-sso_bearer_token"] === `access-token-${memory.count}`;
  if (answers.exchange === "revoked" || !isKnown) return send(scene, 401, { message: "Session token not found." });
  const roleCredentials = {
    accessKeyId: "role-key-id",
    secretAccessKey: `role-secret-${memory.count}`,
    sessionToken: `role-session-${randomUUID()}`,
    expiration: Date.now() + answers.tokenSeconds * 1000,
  };
  return send(scene, 200, { roleCredentials });
}

function send({ response }: Scene, status: number, body: unknown): ServerResponse {
  response.writeHead(status, { "content-type": "application/json" });
  return response.end(JSON.stringify(body));
}
