/** The line above the prompt: what is being done, for how long, and how to stop it. */
import { activityWords, countText, durationText, isSilent } from "@kedge/tui/session";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/session.ts";

const separator = " · ";

export function ActivityBar() {
  const page = usePage();
  const activity = useSelected(page.store, (state) => state.activity);
  const now = useSeconds(activity.kind !== "idle");
  if (activity.kind === "idle") return <div class="activity" role="status" />;
  const isWatching = !page.mayAnswer(activity.kind === "permission" ? "approve" : "prompt");
  const words = activityWords(activity, { now, separator, isWatching });
  const details = [
    ...(activity.kind === "compacting" ? [] : [durationText(now - activity.since)]),
    ...(activity.outputTokens >= 1 ? [texts.tokensSoFar(countText(activity.outputTokens))] : []),
  ];
  const isMoving = activity.kind !== "permission" && activity.kind !== "question";
  return (
    <div class={isSilent(activity, now) ? "activity silent" : "activity"}>
      <span class={isMoving ? "pulse" : "pulse still"} aria-hidden="true" />
      <span role="status">{words}</span>
      <span class="activity-details">{details.join(separator)}</span>
      {activity.kind === "retrying" && (
        <button type="button" class="text-button" onClick={() => void page.desk.hasten()}>
          {texts.retryNow}
        </button>
      )}
    </div>
  );
}

/** Draws again every second as long as it is wanted. */
function useSeconds(isOn: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isOn) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isOn]);
  return isOn ? Math.max(now, Date.now()) : now;
}
