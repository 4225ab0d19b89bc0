/** Goes back to before a prompt: the conversation, the files, or both. */
import { ageText, rewindPointsOf } from "@kedge/tui/session";
import { useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/dialogs.ts";
import { Modal } from "./modal.tsx";
import { Picker } from "./picker.tsx";

type What = "conversation" | "files" | "both";

const choices: readonly { readonly what: What; readonly label: string; readonly about: string }[] = [
  { what: "both", label: texts.rewindBoth, about: texts.rewindBothHint },
  { what: "conversation", label: texts.rewindConversation, about: texts.rewindConversationHint },
  { what: "files", label: texts.rewindFiles, about: texts.rewindFilesHint },
];

export function RewindDialog({ messageId }: { readonly messageId: string | undefined }) {
  const page = usePage();
  const [chosen, setChosen] = useState(messageId);
  const messages = useSelected(page.store, (state) => state.messages);
  const leafId = useSelected(page.store, (state) => state.session?.leafId);
  const points = rewindPointsOf(messages, leafId);
  if (chosen === undefined) {
    const items = points.map(({ id, label, time, files }) => ({
      ...{ value: id, label, right: ageText(Date.now() - time) },
      detail: texts.filesSince(files),
    }));
    return (
      <Picker
        title={texts.rewindTo}
        items={items}
        emptyText={texts.noPrompts}
        onChoose={setChosen}
        onClose={page.closeDialog}
      />
    );
  }
  return (
    <Modal title={texts.rewind} onClose={page.closeDialog}>
      <blockquote class="judged">{points.find(({ id }) => id === chosen)?.label ?? texts.thisPrompt}</blockquote>
      <div class="choices">
        {choices.map(({ what, label, about }) => (
          <button
            key={what}
            type="button"
            class="choice"
            onClick={() => {
              page.closeDialog();
              void page.desk.rewind(chosen, what);
            }}
          >
            <span class="choice-label">{label}</span>
            <span class="choice-about">{about}</span>
          </button>
        ))}
      </div>
    </Modal>
  );
}
