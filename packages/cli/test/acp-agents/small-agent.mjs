/** A small agent that speaks ACP: it does what the words of its prompt ask for, one after the other. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream } from "@agentclientprotocol/sdk";

let sessions = 0;
const app = agent({ name: "small" })
  .onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest("session/new", ({ params }) => {
    sessions += 1;
    process.chdir(params.cwd);
    return { sessionId: `small-${sessions}` };
  })
  .onRequest("session/prompt", async ({ params }) => {
    const { sessionId } = params;
    const say = (text) =>
      connection.client.notify("session/update", {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
      });
    const lines = params.prompt
      .map(({ text }) => text)
      .join("\n")
      .split("\n");
    for (const line of lines) await doLine(line.trim(), sessionId, say).catch((error) => say(`[${error.message}]`));
    return { stopReason: "end_turn" };
  });

async function doLine(line, sessionId, say) {
  const [word, path = "", ...rest] = line.split(" ");
  const { client } = connection;
  if (word === "read") {
    const { content } = await client.request("fs/read_text_file", { sessionId, path });
    await say(`(${content.trim()})`);
  } else if (word === "write") {
    await client.request("fs/write_text_file", { sessionId, path, content: rest.join(" ") });
    await say("(written)");
  } else if (word === "sneak") {
    writeFileSync(path, "sneaked");
    await say("(sneaked)");
  } else if (word === "run") {
    const command = [path, ...rest].join(" ");
    const toolCall = { toolCallId: `run-${Math.random()}`, title: command, kind: "execute", rawInput: { command } };
    const options = [
      { optionId: "yes", kind: "allow_once", name: "Yes" },
      { optionId: "no", kind: "reject_once", name: "No" },
    ];
    const { outcome } = await client.request("session/request_permission", { sessionId, toolCall, options });
    if (outcome.optionId !== "yes") return say("(refused)");
    const output = execFileSync("sh", ["-c", command]).toString().trim();
    const content = [{ type: "content", content: { type: "text", text: output } }];
    const update = { sessionUpdate: "tool_call_update", toolCallId: toolCall.toolCallId, status: "completed", content };
    await client.notify("session/update", { sessionId, update });
    await say(`(ran: ${output})`);
  } else if (word === "crash") {
    process.exit(7);
  } else if (word === "say") await say([path, ...rest].join(" "));
}

const connection = app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
