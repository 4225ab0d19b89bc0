/** Gives the session another title. */
import { useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import * as texts from "../texts/dialogs.ts";
import { Modal } from "./modal.tsx";

export function RenameDialog() {
  const page = usePage();
  const [title, setTitle] = useState(page.store.get().session?.title ?? "");
  function submit(event: Event): void {
    event.preventDefault();
    page.closeDialog();
    if (title.trim() !== "") void page.desk.rename(title.trim());
  }
  return (
    <Modal title={texts.renameSession} onClose={page.closeDialog}>
      <form class="modal-form" onSubmit={submit}>
        <label for="session-title">{texts.title}</label>
        <input
          id="session-title"
          class="field"
          value={title}
          onInput={({ currentTarget }) => setTitle(currentTarget.value)}
        />
        <div class="modal-buttons">
          <button type="button" class="button" onClick={page.closeDialog}>
            {texts.cancel}
          </button>
          <button type="submit" class="button primary" disabled={title.trim() === ""}>
            {texts.rename}
          </button>
        </div>
      </form>
    </Modal>
  );
}
