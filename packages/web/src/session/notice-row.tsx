/** A sentence of kedge itself between the messages. */
import type { Notice } from "@kedge/tui/session";

export function NoticeRow({ notice: { tone, text } }: { readonly notice: Notice }) {
  return (
    <p class={`notice ${tone}`} role={tone === "error" ? "alert" : "status"}>
      {text}
    </p>
  );
}
