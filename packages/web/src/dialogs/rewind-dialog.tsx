/** Goes back to before a prompt: the conversation, the files, or both. */
import { ageText, rewindPointsOf } from "@kedge/tui/session";
import { useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { Modal } from "./modal.tsx";
import { Picker } from "./picker.tsx";

type What = "conversation" | "files" | "both";

const choices: readonly { readonly what: What; readonly label: string; readonly about: string }[] = [
  { what: "both", label: "Conversation and files", about: "Undo everything since this prompt" },
  { what: "conversation", label: "Conversation only", about: "Keep the files as they are" },
  { what: "files", label: "Files only", about: "Keep the conversation as it is" },
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
      detail:
        files === 0 ? "no files changed since" : files === 1 ? "1 file changed since" : `${files} files changed since`,
    }));
    return (
      <Picker
        title="Rewind to before"
        items={items}
        emptyText="No prompts to rewind to."
        onChoose={setChosen}
        onClose={page.closeDialog}
      />
    );
  }
  return (
    <Modal title="Rewind" onClose={page.closeDialog}>
      <blockquote class="judged">{points.find(({ id }) => id === chosen)?.label ?? "This prompt"}</blockquote>
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
