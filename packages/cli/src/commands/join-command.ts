/** `kedge join`: the screen or the console of a session that somebody else shares. Nothing of it runs here. */
import { userInfo } from "node:os";
import { parseRoomLink } from "@kedge/protocol/room";
import type { Flags } from "../arguments/flags.ts";
import { converse } from "../console/conversation.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice } from "../output.ts";
import { hasScreen } from "../start/has-screen.ts";
import { joinTexts } from "../texts/servers.ts";

export async function runJoinCommand([given, extra]: readonly string[], flags: Flags): Promise<number> {
  if (given === undefined || extra !== undefined) {
    writeNotice(joinTexts.usage);
    return exitCodes.usage;
  }
  const parsed = parseRoomLink(given);
  if (!parsed.ok) {
    writeNotice(parsed.problem);
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  const settings = await openSettings(flags, surroundings);
  if (!settings.ok) {
    writeDiagnostic(failureText(settings.failure));
    return exitCodes.error;
  }
  const { collab } = settings.configuration;
  const { roomSocketWith } = await import("@kedge/host/collab");
  const { joinRoom } = await import("@kedge/sdk/room");
  const joined = await joinRoom({
    ...{ link: parsed.link, name: collab.displayName ?? userInfo().username, now: Date.now },
    ...(collab.relayUrl !== undefined && { relay: collab.relayUrl }),
    openSocket: roomSocketWith({}),
  });
  if (!joined.ok) {
    writeNotice(joinTexts.notJoined(joined.problem.replace(/\.$/, "")));
    return exitCodes.error;
  }
  const { client, session, you, ended, leave } = joined.room;
  const { environment } = surroundings;
  const notice = you().rights === "full" ? joinTexts.mayPrompt : joinTexts.mayWatch;
  const shown = { sessionId: session.sessionId, model: session.model ?? "", interrupted: false, notice };
  try {
    if (!hasScreen(flags, environment)) {
      return await converse({
        client,
        environment,
        mayApprove: false,
        ...shown,
        prompt: "",
        attachments: [],
        runOptions: {},
      });
    }
    const { runAttachedTerminal } = await import("../terminal/terminal.ts");
    const scope = you().rights === "full" ? "prompt" : "read";
    const attached = { client, directory: session.project, mode: "default", scope, session: shown } as const;
    const code = await runAttachedTerminal({ ...attached, flags, surroundings, ended });
    return code === "demo" ? exitCodes.success : code;
  } finally {
    leave();
  }
}
