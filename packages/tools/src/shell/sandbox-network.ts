/** The `sandbox_network` call: while a confined command waits to connect, whether it may reach the host is judged and asked like any call. */
import type { JsonSchema, Tool, ToolContext } from "@kedge/protocol";
import { parseInput } from "../tool-input.ts";

type SandboxNetworkInput = { readonly host: string };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { host: { type: "string", minLength: 1, maxLength: 300 } },
  required: ["host"],
};

/** Programs give up on a connection after about as long. */
const waitMsMax = 30_000;

/** No request carries it: it exists for commands that run already. Called by a model it permits what a rule or a person permits. */
export function createSandboxNetworkTool(): Tool<SandboxNetworkInput> {
  return {
    name: "sandbox_network",
    description: "Asks whether confined commands may connect to a host.",
    editModes: [],
    inputSchema,
    resultCharactersMax: 1_000,
    parse: (input) => parseInput<SandboxNetworkInput>(inputSchema, input),
    needs: ({ host }) => [{ permission: "sandbox_network", patterns: [host], always: [host], access: "network" }],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async ({ host }) => ({ output: `Confined commands may connect to ${host}.`, title: host }),
  };
}

/** What programs say when they connect by themselves where only a proxy leads out. */
const noNetwork =
  /could ?n[o']t resolve|could not resolve|name resolution|network is unreachable|no route to host|failed to connect to|connection refused|couldn't connect|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|unknown host|nodename nor servname/i;

/** For the result of a confined command that failed; undefined where something else was the reason. */
export function rawConnectionNote(output: string): string | undefined {
  if (!noNetwork.test(output)) return undefined;
  return "Commands in the sandbox reach hosts only through its proxy (HTTP_PROXY, HTTPS_PROXY); other connections fail. Servers that sandboxed commands started on localhost can be reached directly.";
}

export type HostQuestions = {
  readonly askHost: (host: string) => Promise<boolean>;
  /** The call is over; what still runs of it, such as a job, is refused. */
  close(): void;
};

/** One question per host, however many connections wait for it. */
export function createHostQuestions({ children, signal }: Pick<ToolContext, "children" | "signal">): HostQuestions {
  const asked = new Map<string, Promise<boolean>>();
  const over = new AbortController();
  const ask = async (host: string) => {
    const until = AbortSignal.any([signal, over.signal, AbortSignal.timeout(waitMsMax)]);
    const calls = [{ tool: "sandbox_network", input: { host } }];
    const [result] = await children.run(calls, { signal: until });
    return result?.isError === false;
  };
  return {
    askHost(host) {
      if (over.signal.aborted) return Promise.resolve(false);
      const answer = asked.get(host) ?? ask(host);
      asked.set(host, answer);
      return answer;
    },
    close: () => over.abort(),
  };
}
