/** What memory holds back: each text is read in whole before it is accepted or deleted. */

import type { QueryAnswer } from "@kedge/protocol";
import { cleanLine, judgedText } from "../../screen/clean-text.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { memoryInboxTexts } from "../../texts/dialogs.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { createChoiceDialog } from "../choice/choice-dialog.ts";
import { flowText } from "../text/dialog-text.ts";
import { createFlowingView } from "../text/flowing-view.ts";
import type { ListItem } from "./list-dialog.ts";
import { createPicker } from "./picker-dialog.ts";

type Inbox = Extract<QueryAnswer<"memory.inbox">, { readonly ok: true }>["value"];

export type WaitingTopic = Inbox["topics"][number];

export type MemoryInboxProps = {
  readonly topics: () => readonly WaitingTopic[] | undefined;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
  readonly onAnswer: (answer: "accept" | "delete", topic: WaitingTopic) => void;
};

const suspiciousText = memoryInboxTexts.suspicious;

export function createMemoryInboxDialog({ topics, problem, theme, onAnswer }: MemoryInboxProps): Dialog {
  const remembered = createRemembered<readonly ListItem<WaitingTopic>[] | undefined>();
  const picker = createPicker<WaitingTopic>({
    title: memoryInboxTexts.title,
    theme,
    problem,
    items() {
      const known = topics();
      return remembered([known], () => known?.map(itemOf));
    },
    loadingText: memoryInboxTexts.loading,
    emptyText: memoryInboxTexts.empty,
    onChoose: read,
    toneOf: (right): ForegroundToken | undefined => (right === suspiciousText ? "warning" : undefined),
    sameAs: (left, right) => left.path === right.path,
  });

  function read(topic: WaitingTopic): void {
    picker.ask(
      createChoiceDialog<"later" | "accept" | "delete">({
        title: cleanLine(topic.name),
        theme,
        body: createFlowingView(theme, (width, colours) => topicLines(topic, width, colours)),
        choices: [
          { value: "later", key: "l", label: memoryInboxTexts.later },
          { value: "accept", key: "a", label: memoryInboxTexts.accept, about: memoryInboxTexts.aboutAccept },
          {
            value: "delete",
            key: "d",
            label: memoryInboxTexts.delete,
            about: memoryInboxTexts.aboutDelete,
            tone: "warning",
          },
        ],
        onChoose(answer) {
          picker.backToList();
          if (answer !== "later") onAnswer(answer, topic);
        },
        onEscape: () => picker.backToList(),
      }),
    );
  }

  return picker.dialog;
}

function itemOf(topic: WaitingTopic): ListItem<WaitingTopic> {
  const { slug, name, description, origin, suspicion } = topic;
  return {
    value: topic,
    label: cleanLine(description === "" ? name : description),
    right: suspicion === undefined ? origin : suspiciousText,
    keywords: slug,
    group: suspicion === undefined ? memoryInboxTexts.notFromYou : memoryInboxTexts.quarantined,
  };
}

function topicLines(topic: WaitingTopic, width: number, theme: Theme): readonly string[] {
  const { path, kind, origin, created, suspicion, text } = topic;
  const facts = [path, kind, origin, created].map(cleanLine).filter((fact) => fact !== "");
  return [
    ...flowText(facts.join(", "), width).map((line) => theme.fg("muted", line)),
    ...(suspicion === undefined
      ? []
      : flowText(memoryInboxTexts.heldBack(cleanLine(suspicion)), width).map((line) => theme.fg("warning", line))),
    "",
    ...judgedText(text)
      .split("\n")
      .flatMap((line) => (line.trim() === "" ? [""] : flowText(line, width))),
  ];
}
