/** All keys and commands. */
import { slashCommands } from "@kedge/tui/session";
import { usePage } from "../app/use-page.ts";
import { keyRows } from "../frame/app-keys.tsx";
import * as texts from "../texts/dialogs.ts";
import { Modal } from "./modal.tsx";

export function HelpDialog() {
  const page = usePage();
  return (
    <Modal title={texts.help} onClose={page.closeDialog}>
      <div class="modal-scroll" tabIndex={0} role="region" aria-label={texts.helpTitle}>
        <h3>{texts.keys}</h3>
        <dl class="help-rows">
          {keyRows.map(({ keys, label }) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
        </dl>
        <h3>{texts.commands}</h3>
        <dl class="help-rows">
          {slashCommands.map(({ name, argumentHint, summary }) => (
            <div key={name}>
              <dt>
                <code>/{name}</code> {argumentHint}
              </dt>
              <dd>{summary}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Modal>
  );
}
