/** An engine in a thread of its own that does nothing but say a word ten thousand times in a second. */
import { parentPort, workerData } from "node:worker_threads";
import { serveClient } from "../src/index.ts";
import { clientOf } from "./client-double.ts";

/** What the test gave it. */
const { deltasTotal, deltasPerMs } = workerData as { readonly deltasTotal: number; readonly deltasPerMs: number };

if (parentPort === null) throw new Error("this runs as a worker");

serveClient(
  parentPort,
  clientOf({
    async *follow() {
      const startedAt = performance.now();
      for (let number = 0; number < deltasTotal; ) {
        const due = Math.min(deltasTotal, Math.ceil((performance.now() - startedAt) * deltasPerMs));
        for (; number < due; number += 1) {
          const properties = { messageId: "msg_1", partId: "prt_1", field: "text", delta: `${number} ` };
          yield { id: `1-boot-${number}`, type: "message.part.delta", directory: "/d", sessionId: "ses_1", properties };
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    verify: () => process.exit(1),
  }),
);
