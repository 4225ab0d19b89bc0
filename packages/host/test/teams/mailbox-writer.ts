/** One of several processes that write into the same mailbox. */

import { createMailboxes } from "@kedge/agents/teams";
import { whileHeld } from "../../src/machine/file-lock.ts";

const [path = "", name = "", count = "0"] = process.argv.slice(2);
const mailboxes = createMailboxes({
  lock: (locked, work) => whileHeld(locked, work, { lookMs: 5, waitMsMax: 30_000 }),
  now: Date.now,
  newId: () => crypto.randomUUID(),
});
for (let number = 0; number < Number(count); number += 1) {
  await mailboxes.put(path, {
    id: `${name}-${number}`,
    from: name,
    to: "reader",
    time: Date.now(),
    text: `${name} ${number}`,
  });
}
