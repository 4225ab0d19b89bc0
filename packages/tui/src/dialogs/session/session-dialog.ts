/** The stored sessions: goes to one, gives it a name, puts it away or deletes it after a question. */

import type { SessionStatus, SessionSummary } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { sessionTexts } from "../../texts/dialogs.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { createConfirmDialog } from "../choice/confirm-dialog.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { createPicker, type PickerPage } from "../list/picker-dialog.ts";
import { createTextDialog } from "../text/text-dialog.ts";
import { stateWords } from "./session-families.ts";
import { sessionItems } from "./session-items.ts";
import { previewLines, type SessionPreview } from "./session-preview.ts";

export type SessionDialogProps = {
  /** Newest first; undefined while they are asked for. */
  readonly sessions: () => readonly SessionSummary[] | undefined;
  readonly problem?: () => string | undefined;
  readonly statuses: () => { readonly [sessionId: string]: SessionStatus };
  readonly current: string | undefined;
  /** Where the user is; sessions of other directories show theirs. */
  readonly directory: string;
  readonly now: () => number;
  readonly theme: () => Theme;
  /** Closes nothing, like all that follow: whoever opened the dialog closes it, or leaves it open for more. */
  readonly onChoose: (sessionId: string) => void;
  readonly onRename: (sessionId: string, title: string) => void;
  readonly onArchive: (sessionId: string) => void;
  readonly onDelete: (sessionId: string) => void;
  /** Looks for the words in what was said; without it, titles alone are filtered. */
  readonly onSearchText?: (text: string) => void;
  readonly query?: string;
  /** Without it nothing is shown below the list. */
  readonly preview?: SessionPreview;
};

const badges: { readonly [word: string]: ForegroundToken } = {
  [stateWords.busy]: "success",
  [stateWords.retry]: "warning",
  [stateWords.waiting]: "warning",
};

export function createSessionDialog(props: SessionDialogProps): Dialog {
  const { sessions, statuses, current, directory, now, theme, problem, onSearchText } = props;
  const remembered = createRemembered<readonly ListItem<SessionSummary>[] | undefined>();
  const { preview } = props;
  let selectedId: string | undefined;
  const selected = () => {
    const known = sessions() ?? [];
    return known.find(({ sessionId }) => sessionId === selectedId) ?? items()?.[0]?.value;
  };
  const items = () => {
    const known = sessions();
    const { symbols } = theme();
    const place = { statuses: statuses(), current, directory, symbols };
    return remembered([known, place.statuses, symbols], () => known && sessionItems(known, { ...place, now: now() }));
  };
  const picker = createPicker<SessionSummary>({
    title: sessionTexts.title,
    theme,
    problem,
    query: props.query,
    items,
    onSelect({ sessionId }) {
      selectedId = sessionId;
    },
    ...(preview !== undefined && {
      preview(page: PickerPage) {
        const session = selected();
        return session === undefined ? [] : previewLines(session, preview(session.sessionId), { ...page, now: now() });
      },
    }),
    loadingText: sessionTexts.loading,
    emptyText: sessionTexts.empty,
    onChoose: ({ sessionId }) => props.onChoose(sessionId),
    keys: [
      { key: "ctrl+r", label: sessionTexts.rename, press: rename },
      { key: "ctrl+a", label: sessionTexts.archive, press: ({ sessionId }) => props.onArchive(sessionId) },
      { key: "ctrl+d", label: sessionTexts.delete, press: remove },
      ...(onSearchText === undefined
        ? []
        : [{ key: "ctrl+s", label: sessionTexts.search, press: () => search(onSearchText) }]),
    ],
    toneOf: (right) => badges[right],
    sameAs: (left, right) => left.sessionId === right.sessionId,
  });

  function rename({ sessionId, title }: SessionSummary): void {
    picker.ask(
      createTextDialog({
        title: sessionTexts.renameTitle,
        theme,
        sentence: sessionTexts.askTitle,
        initial: cleanLine(title),
        onText(text) {
          picker.backToList();
          props.onRename(sessionId, text);
        },
        onEscape: picker.backToList,
      }),
    );
  }

  function search(onText: (text: string) => void): void {
    picker.ask(
      createTextDialog({
        title: sessionTexts.searchTitle,
        theme,
        sentence: sessionTexts.askSearch,
        onText(text) {
          picker.backToList();
          onText(text);
        },
        onEscape: picker.backToList,
      }),
    );
  }

  function remove({ sessionId, title }: SessionSummary): void {
    const name = cleanLine(title) || sessionId;
    picker.ask(
      createConfirmDialog({
        title: sessionTexts.deleteTitle,
        theme,
        sentence: sessionTexts.askDelete(name),
        yes: sessionTexts.confirmDelete,
        no: sessionTexts.cancel,
        onAnswer(isYes) {
          picker.backToList();
          if (isYes) props.onDelete(sessionId);
        },
      }),
    );
  }

  return picker.dialog;
}
