/** Where one is: session, model, mode, directory, and what the browser may do here. */
import { costText } from "@kedge/protocol";
import { countText, moneyText } from "@kedge/tui/session";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/dialogs.ts";
import { Modal } from "./modal.tsx";

export function StatusDialog() {
  const page = usePage();
  const { session, context, repository } = useSelected(page.store, (state) => state);
  const { directory, scope = "admin", model } = useSelected(page.state, (state) => state);
  const rows: readonly (readonly [string, string | undefined])[] = [
    [texts.session, session?.title],
    [texts.sessionId, session?.id],
    [texts.model, session?.model ?? model],
    [texts.mode, session?.mode],
    [texts.directory, directory],
    [texts.branch, repository?.branch],
    [
      texts.context,
      context === undefined ? undefined : texts.tokensOf(countText(context.tokens), countText(context.windowTokens)),
    ],
    [texts.cost, session === undefined ? undefined : costText(session.cost, moneyText)],
    [texts.permissions, scope],
  ];
  return (
    <Modal title={texts.status} onClose={page.closeDialog}>
      <dl class="figures modal-figures">
        {rows.flatMap(([name, value]) =>
          value === undefined ? [] : [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>],
        )}
      </dl>
    </Modal>
  );
}
