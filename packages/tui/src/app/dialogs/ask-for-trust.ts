/** Asks the user whether the project is trusted. However it goes, the engine gets a word. */
import { createTrustDialog, type TrustDialogProps } from "../../dialogs/permission/trust-dialog.ts";
import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { Dialog } from "../../screen/view.ts";
import type { TrustAnswer } from "../tui-parts.ts";

/** Undefined without a clear answer; the engine then goes on as before, and asks at the next start. */
export function askForTrust(dialogs: DialogStack, props: Omit<TrustDialogProps, "onAnswer">): Promise<TrustAnswer> {
  return new Promise((resolve) => {
    const asking = createTrustDialog({
      ...props,
      onAnswer(answer) {
        resolve(answer);
        dialogs.close(dialog);
      },
    });
    const dialog: Dialog = {
      ...asking,
      closed() {
        asking.closed?.();
        resolve(undefined);
      },
    };
    dialogs.open(dialog);
  });
}
