/** `kedge session show`: the conversation of a session, as the console would have printed it. */
import { stripTerminalControls } from "@kedge/protocol";
import { factText } from "../console-view.ts";
import { exitCodes } from "../exit-codes.ts";
import { writeResult } from "../output.ts";
import type { OneSession } from "./session-action.ts";

/** `--json` prints the facts themselves, one per line. */
export const showSession: OneSession = async ({ started, flags, session }) => {
  for await (const record of started.kedge.client.facts(session.sessionId)) {
    const { fact } = record;
    const said = fact.type === "prompt.admitted" ? `> ${stripTerminalControls(fact.text)}\n` : factText(fact);
    const text = flags.json ? `${JSON.stringify(record)}\n` : said;
    if (text !== "" && writeResult(text) === "reader-gone") break;
  }
  return exitCodes.success;
};
