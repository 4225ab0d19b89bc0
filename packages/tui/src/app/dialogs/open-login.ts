/** Signs in to a provider: begins it, shows where to go, and waits with the person. */
import type { Login } from "../../dialogs/model/login-dialogs.ts";
import { createLoginWaitDialog } from "../../dialogs/model/login-dialogs.ts";
import { failureText } from "../told-texts.ts";
import type { DialogParts } from "./dialog-parts.ts";

export type WantedLogin = { readonly providerId: string; readonly name: string; readonly method: Login["method"] };

/** Resolves with whether somebody is signed in now. */
export async function openLogin(parts: DialogParts, { providerId, name, method }: WantedLogin): Promise<boolean> {
  const { client, dialogs, look, notice, context } = parts;
  const begun = await client.send<"login.begin">({ type: "login.begin", providerId, method });
  if (!begun.ok) {
    notice("error", failureText(begun.failure));
    return false;
  }
  const { loginId, url, code } = begun.value;
  const dialog =
    url === undefined
      ? undefined
      : createLoginWaitDialog({
          name,
          url,
          code,
          theme: look.theme,
          onCopy: () => context.copy(url),
          onCancel: () => void client.send<"login.cancel">({ type: "login.cancel", loginId }),
        });
  if (dialog !== undefined) dialogs.open(dialog);
  const finished = await client.send<"login.finish">({ type: "login.finish", loginId });
  if (dialog !== undefined) dialogs.close(dialog);
  if (!finished.ok) {
    notice("error", failureText(finished.failure));
    return false;
  }
  const { isSignedIn, sentence } = finished.value;
  notice(isSignedIn ? "success" : "warning", sentence);
  return isSignedIn;
}
