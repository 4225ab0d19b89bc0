/** Lists of places to go to: commands, sessions, and entries of the session's tree. */

import type { MessageView } from "@kedge/protocol";
import { ageText, cleanLine, sessionFamilies, slashCommands, type TreeRow, treeRowsOf } from "@kedge/tui/session";
import type { Page } from "../app/page.ts";
import { sessionAddress } from "../app/router.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/dialogs.ts";
import { Picker } from "./picker.tsx";
import { useAsked } from "./use-asked.ts";

/** What only a terminal can do. */
const terminalOnly: ReadonlySet<string> = new Set(["exit", "vim", "login"]);

export function CommandPicker() {
  const page = usePage();
  const items = slashCommands
    .filter(({ name }) => !terminalOnly.has(name))
    .map(({ name, summary, group }) => ({ value: name, label: `/${name}`, detail: summary, group }));
  function choose(name: string): void {
    page.closeDialog();
    const command = slashCommands.find((each) => each.name === name);
    // One that needs an argument is written into the prompt first.
    if (command?.argumentHint?.startsWith("<"))
      page.state.update((state) => ({ ...state, offered: { text: `/${name} ` } }));
    else void page.runLine(`/${name}`);
  }
  return (
    <Picker
      title={texts.commands}
      items={items}
      emptyText={texts.noCommands}
      onChoose={choose}
      onClose={page.closeDialog}
    />
  );
}

export function SessionPicker({ query }: { readonly query: string | undefined }) {
  const page = usePage();
  const { sessions, isRead } = useSelected(page.listing.state, (state) => state);
  const current = useSelected(page.store, (state) => state.session?.id);
  const items = sessionFamilies(sessions, Date.now()).flatMap(({ members, group }) =>
    members.map(({ session, depth }) => ({
      ...{ value: session.sessionId, group, depth },
      label: cleanLine(session.title) || texts.untitled,
      right: session.sessionId === current ? texts.current : ageText(Date.now() - session.updatedAt),
    })),
  );
  return (
    <Picker
      title={texts.sessions}
      items={isRead ? items : undefined}
      emptyText={texts.noSessions}
      query={query}
      selected={current}
      onChoose={(sessionId) => {
        page.closeDialog();
        page.router.go(sessionAddress(sessionId));
      }}
      onClose={page.closeDialog}
    />
  );
}

export function TreePicker({ query }: { readonly query: string | undefined }) {
  const page = usePage();
  const { value: rows, problem } = useAsked(async () => readTree(page));
  const items = rows?.map((row) => ({
    ...{ value: row.entryId, label: row.label ?? row.text, depth: row.depth },
    detail: row.label === undefined ? undefined : row.text,
    right: row.isLeaf ? texts.current : row.isOnPath ? undefined : texts.otherBranch,
  }));
  return (
    <Picker
      title={texts.tree}
      items={items}
      problem={problem}
      emptyText={texts.noMessages}
      query={query}
      selected={rows?.find(({ isLeaf }) => isLeaf)?.entryId}
      onChoose={(entryId) => {
        page.closeDialog();
        void page.desk.moveTo(entryId);
      }}
      onClose={page.closeDialog}
    />
  );
}

/** A person reads no more of a tree. */
const treeMessagesMax = 2_000;
const pageSize = 500;

async function readTree({ client, store }: Page) {
  const sessionId = store.get().session?.id ?? "";
  const read = await client.ask<"session.read">({ type: "session.read", sessionId });
  if (!read.ok) return read;
  const messages: MessageView[] = [];
  let before: string | undefined;
  do {
    const page = await client.messages(sessionId, { limit: pageSize, ...(before !== undefined && { before }) });
    messages.unshift(...page.messages);
    before = page.before;
  } while (before !== undefined && messages.length < treeMessagesMax);
  const { leafId, labels } = read.value.session;
  const value: readonly TreeRow[] = treeRowsOf(messages, leafId, labels);
  return { ok: true as const, value };
}
