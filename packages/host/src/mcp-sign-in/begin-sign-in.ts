/** Begins a sign-in beside a session: says at once where the person continues, and later how it ended. */
import type { LiveServer } from "@kedge/extend/mcp";
import type { McpServer } from "@kedge/extend/mcp-servers";
import { type ServerSignIn, type ServerSignInParts, signInToServer } from "./sign-in-to-server.ts";

export type BegunSignIn = {
  /** Where to continue; undefined when it ended before that. */
  readonly text: string | undefined;
  readonly over: Promise<ServerSignIn>;
};

export async function beginSignIn(
  server: McpServer,
  options: ServerSignInParts & { readonly signal: AbortSignal },
): Promise<BegunSignIn> {
  const sentences: string[] = [];
  const told = Promise.withResolvers<void>();
  const tell = (sentence: string) => {
    sentences.push(sentence);
    told.resolve();
  };
  // The person typed a command for it, so a browser may open.
  const over = signInToServer(server, { ...options, showsAddress: false, tell });
  await Promise.race([told.promise, over]);
  return { text: sentences.length === 0 ? undefined : sentences.join("\n"), over };
}

export type BesideOptions = ServerSignInParts & {
  readonly signal: AbortSignal;
  /** Tells the user how it ended, while other things go on. */
  readonly say: (sentence: string) => void;
};

/** What to tell the user now; the server is connected again once the sign-in worked. */
export async function signInBeside(live: LiveServer, { say, ...options }: BesideOptions): Promise<string> {
  const { server } = live;
  const { text, over } = await beginSignIn(server, options);
  const end = async () => {
    const outcome = await over;
    if (!outcome.ok) return outcome.problem;
    await live.reconnect();
    return `Signed in to ${server.name}.`;
  };
  if (text === undefined) return end();
  end().then(say, (error: unknown) => say(`Signing in to ${server.name} failed: ${String(error)}`));
  return text;
}
