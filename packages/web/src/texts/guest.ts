/** Texts of the page that a relay serves to guests of a shared session and to readers of a sealed copy. */

export const untitled = "Untitled";
export const pageTitle = (title: string) => `${title} · kedge`;
export const opening = "Opening the session…";
export const cannotOpen = "Cannot open this session";
export const readOnly = "Read-only copy";
export const damaged = "This copy is damaged or was created by a newer version of kedge.";
export const relay = "kedge relay";
export const prompt = "Prompt";
export const steerModel = "Steer the model";
export const askForChange = "Ask for a change";
export const interrupt = "Interrupt";
export const steer = "Steer";
export const send = "Send";
export const steerKey = "Steer (Enter)";
export const sendKey = "Send (Enter)";
export const enterName = "Enter a name. The host and other guests see it.";
export const join = "Join a shared session";
export const mayWatch = "You can watch the session. This link does not allow prompts.";
export const mayPrompt = "You can watch the session and send prompts.";
export const yourName = "Your name";
export const joining = "Joining…";
export const joinButton = "Join";
export const noAnswer =
  "The host has not answered yet. Check that the link is complete and the session is still shared.";
export const encrypted = "The session is encrypted end to end. The relay cannot read it.";
export const oldBrowser =
  "This browser lacks Ed25519 or X25519, which shared sessions need. Update it, or use kedge join.";
export const relayUnreachable = "The relay cannot be reached. Reload with the complete link.";
export const noCopy = "This copy does not exist: it was deleted, or it expired.";
export const relayStatus = (status: number) => `The relay answered with status ${status}. Try again later.`;
export const wrongKey = "The key in this link does not open this copy. Copy the whole link.";
export const conversation = "Conversation";
export const loadingEarlier = "Loading earlier messages…";
export const noMessages = "No messages yet.";
export const jumpToLatest = "Jump to latest";
export const answer = "Answer";
export const queued = "Queued";
export const watching = "You are watching. This link does not allow prompts.";
export const connectionLost = "Connection lost. Reconnecting…";
export const hostAway = "The host is not connected. Waiting for the host to come back…";
export const ended = "The shared session ended:";
export const guests = "Guests";
export const you = "(you)";
export const waitingForHost = "waiting for the host to answer";
export const youLeft = "You left the session";
export const needsHttps = "This page works only over HTTPS. Open the link with https://, or use kedge join.";
export const linkAgain =
  "Open the complete link again. The part after # is the key; it is never stored, not even for a reload.";
export const keyIncomplete = "The key in this link is incomplete. Copy the whole link.";
