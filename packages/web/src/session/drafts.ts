/** What was typed and not sent yet, kept in the browser for each session. */

const prefix = "kedge.draft.";
const ofStart = "start";

export function readDraft(sessionId: string | undefined): string {
  return localStorage.getItem(prefix + (sessionId ?? ofStart)) ?? "";
}

export function keepDraft(sessionId: string | undefined, text: string): void {
  const key = prefix + (sessionId ?? ofStart);
  if (text === "") localStorage.removeItem(key);
  else localStorage.setItem(key, text);
}

/** What was typed since stays. */
export function dropDraft(sessionId: string | undefined, sent: string): void {
  if (readDraft(sessionId) === sent) keepDraft(sessionId, "");
}
