/** What follows when the engine is up: the session it brings is shown, and what the command line asked for is done. */

import type { Client } from "@kedge/protocol";
import { notACommand } from "../../prompt/input-text.ts";
import type { Prompt } from "../../prompt/prompt-parts.ts";
import type { ClientState } from "../../state/client-state.ts";
import type { SessionMirror } from "../../state/session-mirror.ts";
import type { StateStore } from "../../state/state-store.ts";
import { noticeTexts } from "../../texts/conversation.ts";
import type { AppCommands } from "../app-commands.ts";
import type { TellNotice } from "../notices.ts";
import { recentSessionsMax } from "../start-screen.ts";
import type { EngineUp, TuiParts } from "../tui-parts.ts";
import type { SessionDesk } from "./session-desk.ts";

export type BeginParts = {
  readonly parts: Pick<TuiParts, "prompt" | "pick">;
  readonly store: StateStore<ClientState>;
  readonly desk: SessionDesk;
  readonly prompt: Prompt;
  readonly mirror: SessionMirror;
  readonly commands: AppCommands;
  readonly notice: TellNotice;
  readonly refreshPlace: () => void;
  readonly client: Pick<Client, "sessions">;
};

export async function beginSession(up: EngineUp, begin: BeginParts): Promise<void> {
  const { parts, store, prompt, commands, notice } = begin;
  // Until its session is open, a prompt that is sent waits.
  const ready = () => store.update((before) => ({ ...before, connection: "ready" }));
  store.update((before) => ({
    ...before,
    directory: up.directory,
    ...(up.scope !== undefined && { scope: up.scope }),
    ...(up.runOptions.reasoning?.effort !== undefined && { effort: up.runOptions.reasoning.effort }),
  }));
  if (up.session === undefined || parts.pick !== undefined) {
    // It is sent when the user knows where to.
    if (parts.prompt !== "" && prompt.isEmpty()) prompt.setText(notACommand(parts.prompt));
    for (const media of up.attachments) prompt.attach(media);
  }
  if (up.session === undefined) {
    ready();
    return commands.welcome();
  }
  try {
    await begin.mirror.open(up.session.sessionId);
  } finally {
    ready();
  }
  if (up.session.notice !== undefined) notice("info", up.session.notice);
  if (up.session.interrupted) notice("warning", noticeTexts.lastRunInterrupted);
  begin.refreshPlace();
  if (store.get().messages.length === 0) void showRecent(up, begin);
  if (parts.pick !== undefined) commands.open("pick");
  else if (parts.prompt !== "")
    await begin.desk.submit({ text: parts.prompt, attachments: up.attachments }, "follow-up");
  else for (const media of up.attachments) prompt.attach(media);
  commands.sendWaiting();
}

/** Nice to have: a list that cannot be read is left out. */
async function showRecent({ directory, session }: EngineUp, { client, store }: BeginParts): Promise<void> {
  const listed = await client.sessions({ directory, limit: recentSessionsMax + 1 }).catch(() => []);
  const recent = listed
    .filter(({ sessionId, title }) => sessionId !== session?.sessionId && title !== "")
    .slice(0, recentSessionsMax)
    .map(({ title, updatedAt }) => ({ title, updatedAt }));
  if (recent.length > 0) store.update((before) => ({ ...before, recent }));
}
