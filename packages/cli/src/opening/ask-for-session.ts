/** `--resume` without a name: shows the newest sessions of the directory in plain lines and asks which one is meant. */
import { createInterface } from "node:readline/promises";
import type { Client, SessionSummary } from "@kedge/protocol";
import { writeResult } from "../output.ts";
import { type Column, localTimeText, tableText } from "../text-table.ts";
import { sessionTexts } from "../texts/opening.ts";
import { type FoundSession, findSession, newestSessions, noSession } from "./find-session.ts";

const shownMax = 10;

type Numbered = SessionSummary & { readonly number: number };

const columns: readonly Column<Numbered>[] = [
  { title: "", align: "right", text: ({ number }) => String(number) },
  { title: sessionTexts.lastUsed, align: "left", text: ({ updatedAt }) => localTimeText(updatedAt) },
  { title: sessionTexts.title, align: "left", text: ({ title }) => title },
];

export async function askForSession(client: Client, directory: string): Promise<FoundSession> {
  // What is piped in is the conversation.
  if (!process.stdin.isTTY) return notChosen(sessionTexts.noTerminal);
  const sessions = await newestSessions(client, directory, shownMax);
  if (sessions.length === 0) return noSession(directory);
  writeResult(
    tableText(
      columns,
      sessions.map((session, index) => ({ ...session, number: index + 1 })),
    ),
  );
  const answer = await readAnswer();
  if (answer === "") return notChosen(sessionTexts.noneChosen);
  const numbered = /^\d+$/.test(answer) ? sessions[Number(answer) - 1] : undefined;
  if (numbered !== undefined) return { ok: true, session: numbered };
  return findSession(client, { kind: "named", name: answer }, directory);
}

async function readAnswer(): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await reader.question(sessionTexts.question)).trim();
  } catch (error) {
    // Ctrl+C is no choice.
    if (error instanceof Error && error.name === "AbortError") return "";
    throw error;
  } finally {
    reader.close();
  }
}

function notChosen(message: string): FoundSession {
  const recovery = sessionTexts.passId;
  return { ok: false, failure: { code: "not_found", message, recovery, retryable: false } };
}
