/** `kedge session show`: the conversation of a session, as the console would have printed it. */
import { type FactRecord, stripTerminalControls } from "@kedge/protocol";
import { factText } from "../console/console-view.ts";
import { exitCodes } from "../exit-codes.ts";
import { writeResult } from "../output.ts";
import type { OneSession } from "./session-action.ts";

/** `--json` prints the facts themselves as one list, `--jsonl` one per line. */
export const showSession: OneSession = async ({ started, flags, session }) => {
  const facts = started.kedge.client.facts(session.sessionId);
  const isList = flags.json === true && !flags.jsonl;
  let separator = isList ? "[" : "";
  for await (const record of facts) {
    const text = flags.json || flags.jsonl ? jsonText(record, { isList }) : saidText(record);
    if (text !== "" && writeResult(`${separator}${text}`) === "reader-gone") return exitCodes.success;
    if (isList) separator = ",";
  }
  if (isList) writeResult(separator === "[" ? "[]\n" : "]\n");
  return exitCodes.success;
};

function jsonText(record: FactRecord, { isList }: { readonly isList: boolean }): string {
  return `${JSON.stringify(record)}${isList ? "" : "\n"}`;
}

function saidText({ fact }: FactRecord): string {
  return fact.type === "prompt.admitted" ? `> ${stripTerminalControls(fact.text)}\n` : factText(fact);
}
