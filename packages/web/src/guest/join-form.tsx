/** Asks a guest for a name, which this browser remembers, and joins the room. */
import { guestNameMax, type RoomLink } from "@kedge/protocol/room";
import { joinRoom, openBrowserSocket } from "@kedge/sdk/room";
import { useEffect, useState } from "preact/hooks";
import { Logo } from "../frame/logo.tsx";
import * as texts from "../texts/guest.ts";
import { openRoomView, type RoomView } from "./room-view.ts";

export type JoinFormProps = { readonly link: RoomLink; readonly onJoined: (view: RoomView) => void };

const nameKey = "kedge.guestName";
/** A host that has not answered by then may be gone, or the key is wrong; the relay can tell neither. */
const patienceMs = 10_000;

export function JoinForm({ link, onJoined }: JoinFormProps) {
  const [name, setName] = useState(() => localStorage.getItem(nameKey) ?? "");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isLong = useLater(isBusy);

  async function join(event: Event): Promise<void> {
    event.preventDefault();
    const chosen = name.trim();
    if (chosen === "") return setProblem(texts.enterName);
    localStorage.setItem(nameKey, chosen);
    setProblem(undefined);
    setBusy(true);
    const joined = await tryToJoin(link, chosen);
    setBusy(false);
    if (typeof joined === "string") setProblem(joined);
    else onJoined(joined);
  }

  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={(event) => void join(event)}>
        <Logo />
        <h1>{texts.join}</h1>
        <p>{link.writeToken === undefined ? texts.mayWatch : texts.mayPrompt}</p>
        <label for="guest-name">{texts.yourName}</label>
        <input
          id="guest-name"
          class="field"
          autocomplete="nickname"
          maxLength={guestNameMax}
          value={name}
          aria-describedby="join-problem"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <p id="join-problem" class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="button primary" disabled={isBusy}>
          {isBusy ? texts.joining : texts.joinButton}
        </button>
        <p class="hint" role="status">
          {isLong ? texts.noAnswer : texts.encrypted}
        </p>
      </form>
    </main>
  );
}

async function tryToJoin(link: RoomLink, name: string): Promise<RoomView | string> {
  if (!(await canCheckHost())) return texts.oldBrowser;
  const joined = await joinRoom({ link, name, openSocket: openBrowserSocket, now: Date.now });
  if (!joined.ok) return `${joined.problem.replace(/\.$/, "")}.`;
  return openRoomView(window, joined.room);
}

async function canCheckHost(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    await crypto.subtle.generateKey("X25519", false, ["deriveBits"]);
    return true;
  } catch {
    return false;
  }
}

/** True once something has been going on for long. */
function useLater(isOn: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!isOn) return;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isLate;
}
