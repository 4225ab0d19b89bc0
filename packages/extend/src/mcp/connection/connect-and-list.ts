/** Connects and asks at once what the server offers: a connection without that is of no use to anybody. */
import type { McpServer } from "../server.ts";
import { wantsSignIn } from "./connect-failure.ts";
import type { ConnectParts } from "./connect-parts.ts";
import { type Connected, connectServer, type McpConnection } from "./connect-server.ts";
import { noOffers, type Offers, readOffers } from "./read-offers.ts";

export type ConnectedAndListed =
  | { readonly ok: true; readonly connection: McpConnection; readonly offers: Offers }
  | Extract<Connected, { ok: false }>;

export async function connectAndList(
  server: McpServer,
  parts: ConnectParts,
  signal: AbortSignal,
): Promise<ConnectedAndListed> {
  const connected = await connectServer(server, parts, signal);
  if (!connected.ok) return connected;
  const { connection } = connected;
  try {
    return { ok: true, connection, offers: await readOffers(connection.client, { before: noOffers }) };
  } catch (error) {
    connection.endAtOnce();
    await connection.close().catch(() => undefined);
    parts.log.note(`Its tools could not be listed: ${error instanceof Error ? error.message : String(error)}`);
    return {
      ok: false,
      reason: wantsSignIn(error) ? "needs-auth" : "failed",
      error: "its tools could not be listed",
    };
  }
}
