/** Whether a session may spend more on what nobody asked for. */
import type { SessionState } from "@kedge/protocol";
import type { BackgroundSettings } from "../memory-settings.ts";

type Spending = Pick<SessionState, "backgroundUsd" | "cost">;

/** Both limits count, but the first time only the absolute one: a share of nothing would be nothing for ever. */
export function isWithinBackground(
  { backgroundUsd, cost }: Spending,
  { maxUsd, maxShare }: BackgroundSettings,
): boolean {
  if (maxUsd === 0 || maxShare === 0) return false;
  return backgroundUsd === 0 || (backgroundUsd < maxUsd && backgroundUsd < cost.usd * maxShare);
}
