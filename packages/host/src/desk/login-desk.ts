/** Sign-ins for clients: begun, awaited and cancelled by their id. No token ever comes back out. */
import { type CommandAnswer, type CommandOf, notFound, refused } from "@kedge/protocol";
import type { OpenDesk } from "./open-desk.ts";

type LoginParts = Pick<OpenDesk, "signIns">;

export async function beginLogin(
  { signIns }: LoginParts,
  { providerId, method }: CommandOf<"login.begin">,
): Promise<CommandAnswer<"login.begin">> {
  const begun = await signIns.begin(providerId, method);
  if (!begun.ok) return refused(begun.sentence);
  const { signInId: loginId, url, code, endsAtMs } = begun;
  return {
    ok: true,
    value: {
      loginId,
      ...(url !== undefined && { url }),
      ...(code !== undefined && { code }),
      ...(endsAtMs !== undefined && { expiresAt: endsAtMs }),
    },
  };
}

export async function finishLogin(
  { signIns }: LoginParts,
  { loginId }: CommandOf<"login.finish">,
): Promise<CommandAnswer<"login.finish">> {
  const finished = await signIns.finish(loginId);
  return finished === undefined ? notFound("login", loginId) : { ok: true, value: finished };
}

export function cancelLogin(
  { signIns }: LoginParts,
  { loginId }: CommandOf<"login.cancel">,
): CommandAnswer<"login.cancel"> {
  return signIns.cancel(loginId) ? { ok: true, value: {} } : notFound("login", loginId);
}
