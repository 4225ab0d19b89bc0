/**
 * A tour of the SDK: a session with a prompt, a permission, an interruption, a revert, a fork and an export.
 *
 * `node examples/sdk-tour.ts [directory]` works in process; with KEDGE_URL and KEDGE_TOKEN the same is done over HTTP.
 */
import { type Client, createClient, createLocal, FailureError, query } from "kedge/sdk";

const { KEDGE_URL: url, KEDGE_TOKEN: token } = process.env;
const [directory = "."] = process.argv.slice(2);

if (url !== undefined && token !== undefined) {
  await tour(createClient({ url, token }));
} else {
  const kedge = await createLocal({ directory });
  try {
    await tour(kedge.client);
  } finally {
    await kedge.close();
  }
}

async function tour(client: Client): Promise<void> {
  console.log("# create and prompt");
  const created = wanted(await client.send<"session.create">({ type: "session.create" }));
  const { sessionId } = created;
  const text = await say(client, sessionId, "Say hello in one word.");
  console.log(text);

  console.log("# permission");
  console.log(await say(client, sessionId, "Write hello to tour.txt."));
  const { content } = wanted(await client.ask<"file.read">({ type: "file.read", path: "tour.txt" }));
  console.log(`tour.txt holds ${JSON.stringify(content)}`);

  console.log("# abort");
  const stop = new AbortController();
  for await (const message of query("Count to a million.", { client, sessionId, signal: stop.signal })) {
    if (message.type === "text") stop.abort();
    if (message.type === "result") console.log(message.reason);
  }

  console.log("# revert");
  const { messages } = await client.messages(sessionId, { limit: 100 });
  const prompts = messages.filter(({ role }) => role === "user");
  const messageId = prompts[1]?.id ?? "";
  const reverted = wanted(await client.send<"session.revert">({ type: "session.revert", sessionId, messageId }));
  console.log(reverted.files.map(({ path }) => `${path} was put back`).join("\n"));
  const { entries } = wanted(await client.ask<"file.list">({ type: "file.list", path: "." }));
  console.log(`tour.txt is ${entries.some(({ path }) => path === "tour.txt") ? "still there" : "gone"}`);

  console.log("# fork");
  const fork = wanted(await client.send<"session.fork">({ type: "session.fork", sessionId }));
  console.log(await say(client, fork.sessionId, "Say goodbye in one word."));

  console.log("# export");
  const exported = wanted(
    await client.ask<"session.export">({ type: "session.export", sessionId: fork.sessionId, format: "md" }),
  );
  console.log(exported.text.includes("Say goodbye in one word.") ? "the export has the last prompt" : exported.text);
  const { valid } = await client.verify(sessionId);
  console.log(`the record is ${valid ? "whole" : "damaged"}`);
}

/** The answer to one prompt; whatever it wants to do is allowed, and said. */
async function say(client: Client, sessionId: string, prompt: string): Promise<string> {
  const canUseTool = ({ tool, permission }: { readonly tool: string; readonly permission: string }) => {
    console.log(`${tool} asks for ${permission}`);
    return { behavior: "allow" } as const;
  };
  for await (const message of query(prompt, { client, sessionId, canUseTool })) {
    if (message.type === "result") return message.text;
  }
  return "";
}

function wanted<Value>(
  answer:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly failure: FailureError["failure"] },
): Value {
  if (!answer.ok) throw new FailureError(answer.failure);
  return answer.value;
}
