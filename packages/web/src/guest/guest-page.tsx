/** What the link of a guest opens: a shared session, a sealed copy, or the reason why neither. */
import { useState } from "preact/hooks";
import * as texts from "../texts/guest.ts";
import { CopyScreen } from "./copy-screen.tsx";
import { Notice } from "./guest-notice.tsx";
import { JoinForm } from "./join-form.tsx";
import { RoomScreen } from "./room-screen.tsx";
import type { RoomView } from "./room-view.ts";
import type { GuestLink } from "./take-link.ts";

export function GuestPage({ link }: { readonly link: GuestLink }) {
  const [view, setView] = useState<RoomView>();
  if (link.kind === "none") return <Notice title={texts.relay} text={link.problem} />;
  if (link.kind === "copy") return <CopyScreen address={link.address} sealedWith={link.key} />;
  return view === undefined ? <JoinForm link={link.link} onJoined={setView} /> : <RoomScreen view={view} />;
}
