/** A session moment that refuses prompts without a ticket number, and shows the model where tickets are explained. */
import type { SessionMoment } from "@kedge/protocol";

export const ticketPrompts: SessionMoment = {
  name: "ticket-prompts",
  onError: "refuse",
  sessionStarted: () => ({ context: ["Tickets are described in docs/tickets."] }),
  promptSubmitted({ text }) {
    if (/\bT-\d+\b/.test(text)) return undefined;
    return { decision: "refuse", text: "Name the ticket, such as T-12." };
  },
};
