import { readFileSync, rmSync } from "node:fs";
import { openScene } from "@kedge/testing/screen-terminal";

const lines = 10_000;
const line = (row: number) => `- ${row}: the words of a line that is long enough to be *read*, and \`short\` enough.`;
const text = `${Array.from({ length: lines }, (_, row) => line(row)).join("\n")}\n\nTHE-END-OF-IT`;
rmSync("/tmp/heap.log", { force: true });
const scene = await openScene({
  entry: "/work/main/dist/kedge.js",
  script: [{ text, deltaCharacters: 200 }],
  columns: 120,
  rows: 40,
  environment: { NODE_OPTIONS: `--require /tmp/heap.cjs ${process.argv[2] ?? ""}` },
} as never);
const { terminal } = scene;
const rss = () => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${terminal.pid}/status`, "utf8"))?.[1];
await terminal.shows("mock/mock-model", 60000);
await terminal.settled(3000, 60000);
console.log("before", rss());
terminal.type("Say it all.");
terminal.press("enter");
await terminal.shows("THE-END-OF-IT", 120_000);
await terminal.settled(4000, 60_000);
console.log("after", rss());
for (let i = 0; i < 60; i++) {
  terminal.press("pageUp");
  await new Promise((r) => setTimeout(r, 30));
}
await terminal.settled(3000, 60_000);
console.log("scrolled", rss());
import("node:child_process").then((c) => console.log(c.execSync(`python3 /tmp/smaps.py ${terminal.pid}`).toString()));
await new Promise((r) => setTimeout(r, 800));
await scene.close();
console.log(readFileSync("/tmp/heap.log", "utf8").split("\n").slice(-5).join("\n"));
