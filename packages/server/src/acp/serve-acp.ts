/** Speaks the Agent Client Protocol with one editor: what each of its requests does, until it goes away. */
import type { ClientCapabilities, InitializeResponse } from "@agentclientprotocol/sdk";
import { FailureError } from "@kedge/protocol";
import { createAcpPlaces, type OpenAcpPlace } from "./acp-place.ts";
import { createAcpSessions } from "./acp-sessions.ts";
import { loadSdk } from "./load-sdk.ts";
import { failureError, requestError } from "./request-error.ts";

export type AcpParts = {
  readonly openPlace: OpenAcpPlace;
  /** Where kedge was started: for requests that name no directory. */
  readonly cwd: string;
  readonly kedgeVersion: string;
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** Ends it as the end of the input does. */
  readonly signal: AbortSignal;
  /** For a person who reads the log of the editor. */
  readonly onNotice: (sentence: string) => void;
};

/** One message: a prompt with the largest picture that a vendor takes, as text. */
const maxMessageBytes = 64 * 1024 * 1024;

const authMethodId = "kedge-auth-login";
const signIn =
  "Run `kedge auth login <provider>` in a terminal, and set a model in your settings. List models with `kedge models`.";

/** Resolves when the editor has gone and everything is closed. */
export async function serveAcp(parts: AcpParts): Promise<void> {
  const { openPlace, cwd, onNotice } = parts;
  const { agent, ndJsonStream, PROTOCOL_VERSION } = loadSdk();
  const places = createAcpPlaces(openPlace);
  let capabilities: ClientCapabilities = {};
  const onProblem = (error: unknown) => onNotice(`unexpected error: ${problemText(error)}`);
  const sessions = createAcpSessions({
    ...{ places, cwd, onNotice, onProblem },
    editor: () => connection.client,
    capabilities: () => capabilities,
  });

  /** A failure becomes an error of the protocol; a bug is also told to whoever reads the log. */
  function answering<Context, Response>(answer: (context: Context) => Promise<Response>) {
    return async (context: Context): Promise<Response> => {
      try {
        return await answer(context);
      } catch (error) {
        if (error instanceof loadSdk().RequestError) throw error;
        if (error instanceof FailureError) throw failureError(error.failure);
        onProblem(error);
        throw requestError("internal", "kedge failed unexpectedly; its log in the editor says why.");
      }
    };
  }

  const app = agent({ name: "kedge" })
    .onRequest("initialize", ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return initialized(PROTOCOL_VERSION, parts.kedgeVersion);
    })
    .onRequest(
      "authenticate",
      answering(async () => void (await sessions.requireKey(signIn))),
    )
    .onRequest(
      "session/new",
      answering(async ({ params }) => sessions.create(params, signIn)),
    )
    .onRequest(
      "session/load",
      answering(async ({ params }) => sessions.load(params, { isReplayed: true })),
    )
    .onRequest(
      "session/resume",
      answering(async ({ params }) => sessions.load(params, { isReplayed: false })),
    )
    .onRequest(
      "session/list",
      answering(async ({ params }) => sessions.list(params)),
    )
    .onRequest(
      "session/close",
      answering(async ({ params }) => sessions.close(params.sessionId)),
    )
    .onRequest(
      "session/delete",
      answering(async ({ params }) => sessions.delete(params.sessionId)),
    )
    .onRequest(
      "session/prompt",
      answering(async ({ params, signal }) => sessions.find(params.sessionId).prompt(params.prompt, signal)),
    )
    .onRequest(
      "session/set_mode",
      answering(async ({ params }) => {
        await sessions.find(params.sessionId).changeMode(params.modeId);
        return {};
      }),
    )
    .onRequest(
      "session/set_config_option",
      answering(async ({ params }) => ({
        configOptions: await sessions.find(params.sessionId).changeOption(params.configId, params.value),
      })),
    )
    .onNotification("session/cancel", async ({ params }) => {
      await sessions.known(params.sessionId)?.cancel();
    });

  const connection = app.connect(ndJsonStream(parts.output, parts.input, { maxMessageBytes }));
  const end = () => connection.close();
  if (parts.signal.aborted) end();
  parts.signal.addEventListener("abort", end, { once: true });
  await connection.closed;
  parts.signal.removeEventListener("abort", end);
  sessions.leaveAll();
  await places.close();
}

function initialized(protocolVersion: number, version: string): InitializeResponse {
  return {
    protocolVersion,
    agentInfo: { name: "kedge", title: "kedge", version },
    authMethods: [{ id: authMethodId, name: "API key of a provider", description: signIn }],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
  };
}

function problemText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
