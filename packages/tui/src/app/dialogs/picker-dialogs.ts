/** Dialogs that are chosen from: models, modes, sessions, places of the tree, themes, rules, tasks, providers. */

import type { MessagePage, SessionSummary } from "@kedge/protocol";
import { createTaskDialog } from "../../dialogs/list/task-dialog.ts";
import { createThemeDialog } from "../../dialogs/list/theme-dialog.ts";
import { createModelDialog } from "../../dialogs/model/model-dialog.ts";
import { createProviderDialog } from "../../dialogs/model/provider-dialog.ts";
import { createModeDialog } from "../../dialogs/permission/mode-dialog.ts";
import { createRulesDialog } from "../../dialogs/permission/rules-dialog.ts";
import { createRewindDialog } from "../../dialogs/session/rewind-dialog.ts";
import { rewindPointsOf } from "../../dialogs/session/rewind-points.ts";
import { createSessionDialog } from "../../dialogs/session/session-dialog.ts";
import { createTreeDialog } from "../../dialogs/session/tree-dialog.ts";
import { type TreeRow, treeRowsOf } from "../../dialogs/session/tree-rows.ts";
import { createRemembered } from "../../screen/remembered.ts";
import { noticeTexts } from "../../texts/conversation.ts";
import { providerTexts } from "../../texts/onboarding.ts";
import type { TakeUpWish } from "../tui-parts.ts";
import { type Asked, ask, readValue } from "./asked.ts";
import { type DialogParts, openClosing } from "./dialog-parts.ts";
import { openText } from "./info-dialogs.ts";
import { openLogin } from "./open-login.ts";

const sessionsListed = 200;
const previewMessages = 100;
/** A tree is read in pages, and a person reads no more of it. */
const treeMessagesMax = 2_000;
const treePage = 500;

export function openModels(parts: DialogParts): void {
  const { client, dialogs, look, state, choices, redraw } = parts;
  const providers = ask(() => client.ask<"provider.list">({ type: "provider.list" }), redraw);
  openClosing(dialogs, (close) =>
    createModelDialog({
      providers: providers.value,
      problem: providers.problem,
      current: () => state().session?.model,
      recent: choices.of("models"),
      favourites: () => choices.of("favourites"),
      onToggleFavourite: (model) => choices.toggle("favourites", model),
      theme: look.theme,
      onChoose(model) {
        close();
        choices.take("models", model);
        void chooseModel(parts, model);
      },
      onLogin(providerId) {
        close();
        openProviders(parts, providerId);
      },
    }),
  );
}

/** The first one that is ever chosen is kept as the usual one. */
export async function chooseModel({ client, desk, state, notice }: DialogParts, model: string): Promise<void> {
  if (state().session !== undefined) return desk().changeModel(model);
  const set = await client.send<"config.set">({ type: "config.set", layer: "user", key: "model", value: model });
  if (!set.ok) notice("warning", noticeTexts.modelNotSaved(set.failure.message));
  await desk().begin(model);
}

export function openModes({ dialogs, look, state, desk }: DialogParts): void {
  openClosing(dialogs, (close) =>
    createModeDialog({
      current: () => state().session?.mode ?? "default",
      theme: look.theme,
      onChoose(mode) {
        close();
        void desk().changeMode(mode);
      },
    }),
  );
}

type SessionsOptions = { readonly query?: string; readonly wish?: TakeUpWish };

export function openSessions(given: DialogParts, { query, wish }: SessionsOptions): void {
  const { client, dialogs, look, state, parts, desk, redraw } = given;
  const { projectId } = state().session ?? {};
  const sessions = ask(
    () => readValue(client.sessions({ limit: sessionsListed, ...(projectId !== undefined && { projectId }) })),
    redraw,
  );
  const statuses = ask(() => client.ask<"session.status">({ type: "session.status" }), redraw);
  const none = {};
  const remembered = createRemembered<readonly SessionSummary[] | undefined>();
  // One that was only made has nothing to go on with.
  const used = () => remembered([sessions.value()], () => sessions.value()?.filter(({ lastSeq }) => lastSeq > 1));
  const previews = new Map<string, Asked<MessagePage>>();
  const preview = (sessionId: string) => {
    const asked =
      previews.get(sessionId) ?? ask(() => readValue(client.messages(sessionId, { limit: previewMessages })), redraw);
    previews.set(sessionId, asked);
    return asked.value();
  };
  const changed = async (work: Promise<unknown>) => {
    await work;
    sessions.again();
  };
  openClosing(dialogs, (close) =>
    createSessionDialog({
      sessions: used,
      preview,
      problem: sessions.problem,
      statuses: () => statuses.value()?.sessions ?? none,
      current: state().session?.id,
      directory: parts.directory,
      now: parts.now,
      theme: look.theme,
      ...(query !== undefined && { query }),
      onChoose(sessionId) {
        close();
        void desk().switchTo(sessionId, wish);
      },
      onRename: (sessionId, title) =>
        void changed(desk().send<"session.update">({ type: "session.update", sessionId, title })),
      onArchive: (sessionId) =>
        void changed(desk().send<"session.update">({ type: "session.update", sessionId, isArchived: true })),
      onDelete: (sessionId) => void changed(desk().send<"session.delete">({ type: "session.delete", sessionId })),
    }),
  );
}

export function openTree({ client, dialogs, look, state, desk, redraw }: DialogParts, query?: string): void {
  const { session } = state();
  if (session === undefined) return;
  const rows = ask<readonly TreeRow[]>(async () => {
    const read = await client.ask<"session.read">({ type: "session.read", sessionId: session.id });
    if (!read.ok) return read;
    const messages = [];
    let before: string | undefined;
    do {
      const page = await client.messages(session.id, { limit: treePage, ...(before !== undefined && { before }) });
      messages.unshift(...page.messages);
      before = page.before;
    } while (before !== undefined && messages.length < treeMessagesMax);
    const { leafId, labels } = read.value.session;
    return { ok: true, value: treeRowsOf(messages, leafId, labels) };
  }, redraw);
  openClosing(dialogs, (close) =>
    createTreeDialog({
      rows: rows.value,
      problem: rows.problem,
      theme: look.theme,
      ...(query !== undefined && { query }),
      onChoose(entryId) {
        close();
        void desk().moveTo(entryId);
      },
      onLabel(entryId, label) {
        const named = label === undefined ? {} : { label };
        const wish = { type: "entry.label", sessionId: session.id, entryId, ...named } as const;
        void desk()
          .send<"entry.label">(wish)
          .then(() => rows.again());
      },
    }),
  );
}

export function openRewind({ dialogs, look, state, parts, desk }: DialogParts): void {
  const { messages } = state();
  // An answer that failed has no place in the tree.
  const leafId = messages.findLast(({ isQueued, failure }) => isQueued !== true && failure === undefined)?.id;
  openClosing(dialogs, (close) =>
    createRewindDialog({
      points: rewindPointsOf(messages, leafId),
      theme: look.theme,
      now: parts.now,
      onChoose(messageId, what) {
        close();
        void desk().rewind(messageId, what);
      },
    }),
  );
}

export function openThemes({ dialogs, look, context }: DialogParts): void {
  const { themes } = look;
  openClosing(dialogs, (close) =>
    createThemeDialog({
      names: themes.names(),
      current: themes.current().name,
      theme: look.theme,
      onPreview: (name) => void themes.preview(name),
      onCancel: themes.cancelPreview,
      onChoose(name) {
        context.setTheme(name);
        close();
      },
    }),
  );
}

export function openRules({ client, dialogs, look, state, desk, redraw }: DialogParts): void {
  const rules = ask(() => client.ask<"rule.list">({ type: "rule.list" }), redraw);
  dialogs.open(
    createRulesDialog({
      rules: () => rules.value()?.rules,
      problem: rules.problem,
      mode: () => state().session?.mode ?? "default",
      theme: look.theme,
      onRemove: (ruleId) =>
        void desk()
          .send<"rule.remove">({ type: "rule.remove", ruleId })
          .then(() => rules.again()),
    }),
  );
}

export function openTasks(parts: DialogParts): void {
  const { client, dialogs, look, state, desk, notice } = parts;
  const sessionId = state().session?.id ?? "";
  dialogs.open(
    createTaskDialog({
      tasks: () => state().tasks,
      theme: look.theme,
      onOpen(taskId) {
        void client.ask<"task.read">({ type: "task.read", sessionId, taskId }).then((read) => {
          if (read.ok) openText(parts, read.value.command, read.value.output);
          else notice("error", read.failure.message);
        });
      },
      onStop: (taskId) => void desk().send<"task.stop">({ type: "task.stop", sessionId, taskId }),
    }),
  );
}

export function openProviders(parts: DialogParts, providerId?: string): void {
  const { client, dialogs, look, desk, notice, redraw } = parts;
  const providers = ask(() => client.ask<"provider.list">({ type: "provider.list" }), redraw);
  openClosing(dialogs, (close) =>
    createProviderDialog({
      providers: providers.value,
      problem: providers.problem,
      theme: look.theme,
      ...(providerId !== undefined && { providerId }),
      onKey(id, key) {
        void desk()
          .send<"credential.set">({ type: "credential.set", providerId: id, key })
          .then((set) => {
            if (!set.ok) return;
            notice("success", providerTexts.keySaved);
            close();
            openModels(parts);
          });
      },
      onLogin(login) {
        close();
        void openLogin(parts, login).then((isSignedIn) => {
          if (isSignedIn) openModels(parts);
        });
      },
      onRemove: (id) =>
        void desk()
          .send<"credential.remove">({ type: "credential.remove", providerId: id })
          .then(() => providers.again()),
    }),
  );
}
