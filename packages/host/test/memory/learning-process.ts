/** A kedge of its own for one test: learns from turns without end, or tidies up once for each line that it is told. */
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import type { FactOf } from "@kedge/protocol";
import { openAssembled } from "../assembled-kedge.ts";

const [mode, project = "", userDirectory = "", homeDirectory = ""] = process.argv.slice(2);
const kedge = await openAssembled({ project, userDirectory, homeDirectory, environment: {}, interactive: true });
// Now, because it will be killed.
flushCompileCache();
const { door } = kedge;
const created = await door.send<"session.create">({ type: "session.create", mode: "default", model: "mock/model" });
if (!created.ok) throw new Error(created.failure.message);
const { sessionId } = created.value;

function next<Type extends "memory.extracted" | "command.ran">(type: Type): Promise<FactOf<Type>> {
  return new Promise((resolve) => {
    const stop = door.subscribe(sessionId, (event) => {
      if (event.kind !== "fact" || event.record.fact.type !== type) return;
      stop();
      // Of this very type.
      resolve(event.record.fact as FactOf<Type>);
    });
  });
}

const send = (text: string) =>
  door.send<"prompt.submit">({ type: "prompt.submit", sessionId, text, delivery: "follow-up", options: {} });

process.stdout.write("ready\n");
if (mode === "learn") {
  for (;;) {
    const extracted = next("memory.extracted");
    await send("Go on.");
    await extracted;
    const dreamt = next("command.ran");
    await send("/dream");
    await dreamt;
    process.stdout.write("round\n");
  }
}
for await (const _ of createInterface({ input: process.stdin })) {
  const dreamt = next("command.ran");
  await send("/dream");
  process.stdout.write(`${(await dreamt).text.split("\n", 1)[0]}\n`);
}
await kedge.close();
