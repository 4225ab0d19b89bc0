/** Asks the routes of the server with a token of the scope read for files that rules close. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { openWorkbench } from "../workbench.ts";
import { canary, closedRules, makeClosedProject, pixelText } from "./closed-files-project.ts";

test("a token that may read gets nothing of a closed file", async () => {
  const turns = [
    { toolCalls: [{ name: "write", input: { filePath: "note.txt", content: "hello\n" } }] },
    {
      toolCalls: [
        { name: "bash", input: { command: "cp app.key stolen.txt; echo more >> secret/plan.txt", description: "x" } },
      ],
    },
    { text: "Done." },
  ];
  const bench = await openWorkbench(turns, { permission: { ...closedRules, edit: "allow" } });
  try {
    makeClosedProject(bench, { committed: true });
    const added = await bench.run(["token", "add", "reader", "--scope", "read", "--ttl", "1d"]);
    const token = /kedge_[\w-]+/.exec(added.stdout)?.[0] ?? "";
    const server = bench.start(["serve", "--json", "--port", "0"]);
    let head = "";
    server.stdout.on("data", (chunk: Buffer) => {
      head += chunk.toString();
    });
    let errors = "";
    server.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    await expect.poll(() => head + errors).toContain("url");
    const { url, token: approver } = JSON.parse(head);
    const post = (path: string, body: object) =>
      fetch(url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${approver}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }).then((answer) => answer.json());
    const { sessionId } = (await post("/session", {})) as { readonly sessionId: string };
    await post(`/session/${sessionId}/prompt`, { text: "go" });
    const paths = [
      "secret/plan.txt",
      "app.key",
      "link2.txt",
      "hardkey.txt",
      "pub/plan.txt",
      "drafts/post.md",
      ".env",
      "users.db",
      "pixel.png",
      "book.ipynb",
      "../.ssh/id_rsa",
      "/etc/passwd",
      "/proc/self/environ",
      "../home/config.json",
      "secret/plan.txt:1-2",
      "./secret/../app.key",
      "/proc/self/cwd/app.key",
      "app.key%00",
      "bundle.tar",
      "bundle.zip",
      "bundle.tgz",
      "bundle.tar:app.key",
    ];
    const requests = [
      ...paths.flatMap((path) => [
        `/file?path=${encodeURIComponent(path)}`,
        `/file/list?path=${encodeURIComponent(path)}`,
        `/find?pattern=canary&path=${encodeURIComponent(path)}`,
      ]),
      "/find?pattern=canary",
      "/find?pattern=.",
      "/find/file?text=plan",
      "/vcs/diff",
      "/vcs",
      "/file/status",
      `/session/${sessionId}/diff`,
      `/session/${sessionId}/export`,
      `/session/${sessionId}/export?format=md`,
      `/session/${sessionId}/fact`,
      `/session/${sessionId}/message`,
      "/search?text=canary",
      "/config",
      "/log",
    ];
    const leaks: string[] = [];
    for (const request of requests) {
      const answer = await fetch(url + request, { headers: { authorization: `Bearer ${token}` } });
      const text = await answer.text();
      if (process.env["OUTSIDE_SHOW"]) console.log(answer.status, request, text.slice(0, 200));
      if (
        text.includes(canary) ||
        text.includes(pixelText) ||
        text.includes("root:x:") ||
        text.includes("key-of-the-test")
      )
        leaks.push(`${request}: ${answer.status} ${text.slice(0, 300)}`);
    }
    server.kill("SIGTERM");
    await once(server, "close");
    expect(leaks).toEqual([]);
  } finally {
    await bench.close();
  }
});
