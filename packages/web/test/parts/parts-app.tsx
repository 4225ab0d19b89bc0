/** The page of the tests of parts: shows messages as the app does, and takes more of a text as it streams. */
import type { MessageView } from "@kedge/protocol";
import { signal } from "@preact/signals";
import { render } from "preact";
import { createLook } from "../../src/parts/look.ts";
import { MessageBody } from "../../src/parts/message-body.ts";
import { Message } from "../../src/parts/part.tsx";
import { escapeHtml, renderStatic } from "../../src/parts/render-static.ts";

const shown = signal<readonly MessageView[]>([]);

function Page() {
  return (
    <main>
      <h1>Messages</h1>
      {shown.value.map((message) => (
        <article key={message.id} aria-label={message.role}>
          <Message message={message} />
        </article>
      ))}
    </main>
  );
}

export type PartsPage = {
  show(messages: readonly MessageView[]): void;
  /** The text of an export of them. */
  asText(messages: readonly MessageView[]): string;
};

const page: PartsPage = {
  show(messages) {
    shown.value = messages;
  },
  asText(messages) {
    const look = createLook();
    return messages
      .map(
        (message) =>
          `<article title="${escapeHtml(message.id)}">${renderStatic(<MessageBody message={message} look={look} />)}</article>`,
      )
      .join("\n");
  },
};

Object.assign(globalThis, { partsPage: page });
const place = document.getElementById("app");
if (place !== null) render(<Page />, place);
