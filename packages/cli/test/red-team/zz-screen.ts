import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { openGround } from "/work/wt/safe/packages/cli/test/red-team/red-team-ground.ts";
const [file, mode] = process.argv.slice(2);
const cases = readFileSync(file, "utf8").trimEnd().split("\n").map((l) => JSON.parse(l));
const ground = await openGround();
writeFileSync(`${ground.kedgeHome}/config.json`, JSON.stringify({ permission: { read: { "private/*": "deny" } } }));
const input = cases.map((c) => JSON.stringify({ id: c.id, tool: "bash", command: ground.fill(c.command) })).join("\n");
const argv = ["/work/wt/safe/dist/kedge.js", "explain", "permission", "--jsonl"];
const [p, w] = mode === "un" ? ["bwrap", ["--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap", "--", process.execPath, ...argv]] : [process.execPath, argv];
const r = spawnSync(p, w, { cwd: ground.project, input, encoding: "utf8", maxBuffer: 1e9, env: { PATH: `${process.env.PATH}:/work/wt/safe/node_modules/@vscode/ripgrep-linux-x64/bin`, HOME: ground.home, KEDGE_HOME: ground.kedgeHome, TERM: "dumb" } });
if (r.status) console.error(r.stderr.slice(-2000));
const byId = new Map(cases.map((c) => [c.id, c]));
const counts = {};
for (const line of r.stdout.trimEnd().split("\n")) {
  const a = JSON.parse(line);
  counts[a.verdict] = (counts[a.verdict] ?? 0) + 1;
  if (process.argv[4] === "ask" ? a.verdict !== "allow" : a.verdict === "allow") console.log(`${a.id}\t${byId.get(a.id).command.replaceAll("\n", "\\n")}${process.argv[4] === "ask" ? "\t# " + JSON.stringify(a).slice(0, 300) : ""}`);
}
console.log(counts);
await ground.close();
