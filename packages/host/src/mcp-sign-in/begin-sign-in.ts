/** Begins a sign-in beside a session: says at once where the person continues, and later how it ended. */
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
