/** The leader of a team as a process of its own: takes orders as lines of JSON, and tells facts of its session the same way. */
import { createInterface } from "node:readline";
import { openAssembled } from "../assembled-kedge.ts";

type Setup = {
  readonly project: string;
  readonly userDirectory: string;
  readonly homeDirectory: string;
  readonly environment: { readonly [name: string]: string };
  readonly program: readonly string[];
  readonly sessionId?: string;
};

type Order =
  | { readonly do: "prompt"; readonly text: string }
  | { readonly do: "answer"; readonly requestId: string; readonly reply: "once" | "session" | "reject" }
  | { readonly do: "interrupt" }
  | { readonly do: "interrupt-agent"; readonly agentId: string }
  | { readonly do: "kill"; readonly agentId: string }
  | { readonly do: "mode"; readonly mode: "plan" | "default" | "accept-edits" }
  | { readonly do: "close" };

const setup = JSON.parse(process.argv[2] ?? "{}") as Setup;
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const kedge = await openAssembled({
  ...setup,
  interactive: true,
  teamTiming: { pollMs: 50, shutdownMs: 500, paneMs: 50 },
  onNotice: (text) => tell({ notice: text }),
});
const { engine } = kedge;
const runs = kedge.door;
const opened =
  setup.sessionId === undefined
    ? await engine.send<"session.create">({ type: "session.create" })
    : await engine.send<"session.resume">({ type: "session.resume", sessionId: setup.sessionId });
if (!opened.ok) throw new Error(opened.failure.message);
const { sessionId } = opened.value;
engine.subscribe(sessionId, (event) => {
  if (event.kind === "fact") tell({ fact: event.record.fact });
});
tell({ sessionId });

async function perform(order: Order): Promise<void> {
  switch (order.do) {
    case "prompt":
      await engine.send<"prompt.submit">({
        type: "prompt.submit",
        sessionId,
        text: order.text,
        delivery: "steer",
        options: {},
      });
      return;
    case "answer": {
      const { requestId, reply } = order;
      tell({
        answered: await engine.send<"permission.answer">({ type: "permission.answer", sessionId, requestId, reply }),
      });
      return;
    }
    case "interrupt":
      await engine.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
      return;
    case "interrupt-agent":
      tell({ interrupted: await runs.send<"agent.interrupt">({ type: "agent.interrupt", agentId: order.agentId }) });
      return;
    case "kill":
      tell({ killed: await runs.send<"agent.kill">({ type: "agent.kill", agentId: order.agentId }) });
      return;
    case "mode":
      await engine.send<"mode.change">({ type: "mode.change", sessionId, mode: order.mode });
      return;
    case "close":
      await kedge.close();
      await kedge.store.close();
      process.exit(0);
  }
}

createInterface({ input: process.stdin }).on("line", (line) => void perform(JSON.parse(line) as Order));
