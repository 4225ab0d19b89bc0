/** Finds the model servers that run on this machine; nothing but loopback addresses is asked. */
import { type LocalServerKind, localServerKinds } from "../catalogue/catalogue-row.ts";
import { type LocalModel, probeContext, probeServer } from "./probe-server.ts";

export type LocalServer = {
  readonly provider: LocalServerKind;
  readonly baseURL: string;
  readonly models: readonly LocalModel[];
};

export type LocalSearch = {
  readonly signal: AbortSignal;
  /** In place of the ports these servers use unless told otherwise. */
  readonly ports?: { readonly [server in LocalServerKind]?: number };
};

const usualPorts: { readonly [server in LocalServerKind]: number } = {
  ollama: 11434,
  lmstudio: 1234,
  llamacpp: 8080,
  vllm: 8000,
};

/** More would make a server with a large collection wait for its own description. */
const modelsAskedMax = 32;

/** All at once, each for at most a fraction of a second; a server that does not answer is left out. */
export async function findLocalServers({ signal, ports = usualPorts }: LocalSearch): Promise<readonly LocalServer[]> {
  const found = await Promise.all(localServerKinds.map((server) => look(server, ports[server], signal)));
  return found.filter((server) => server !== undefined);
}

async function look(
  server: LocalServerKind,
  port: number | undefined,
  signal: AbortSignal,
): Promise<LocalServer | undefined> {
  if (port === undefined) return undefined;
  const origin = `http://127.0.0.1:${port}`;
  const models = await probeServer({ server, origin, signal });
  if (models === undefined) return undefined;
  const described = await Promise.all(
    models.map(async (model, index): Promise<LocalModel> => {
      if (model.contextTokens !== undefined || index >= modelsAskedMax || server !== "ollama") return model;
      const contextTokens = await probeContext({ server, origin, signal }, model.id);
      return contextTokens === undefined ? model : { ...model, contextTokens };
    }),
  );
  return { provider: server, baseURL: `${origin}/v1`, models: described };
}
