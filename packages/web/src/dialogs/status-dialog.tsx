/** Where one is: session, model, mode, directory, and what the browser may do here. */
import { costText } from "@kedge/protocol";
import { countText, moneyText } from "@kedge/tui/session";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { Modal } from "./modal.tsx";

export function StatusDialog() {
  const page = usePage();
  const { session, context, repository } = useSelected(page.store, (state) => state);
  const { directory, scope = "admin", model } = useSelected(page.state, (state) => state);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Session", session?.title],
    ["Session id", session?.id],
    ["Model", session?.model ?? model],
    ["Mode", session?.mode],
    ["Directory", directory],
    ["Branch", repository?.branch],
    [
      "Context",
      context === undefined ? undefined : `${countText(context.tokens)} of ${countText(context.windowTokens)} tokens`,
    ],
    ["Cost", session === undefined ? undefined : costText(session.cost, moneyText)],
    ["Permissions of this browser", scope],
  ];
  return (
    <Modal title="Status" onClose={page.closeDialog}>
      <dl class="figures modal-figures">
        {rows.flatMap(([name, value]) =>
          value === undefined ? [] : [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>],
        )}
      </dl>
    </Modal>
  );
}
