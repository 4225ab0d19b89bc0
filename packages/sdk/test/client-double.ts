/** A Client of which a test makes what it needs; everything else ends the test. */
import type { Client } from "@kedge/protocol";

export function clientOf(parts: Partial<Client>): Client {
  const unexpected = () => {
    throw new Error("the test does not expect this call");
  };
  return {
    ...{ send: unexpected, ask: unexpected, events: unexpected, follow: unexpected, sessions: unexpected },
    ...{ messages: unexpected, search: unexpected, facts: unexpected, verify: unexpected },
    ...parts,
  };
}
