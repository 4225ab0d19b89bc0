import { readFileSync, writeFileSync } from "node:fs";
import { findingsOf } from "./red-team-findings.ts";
import { runCases } from "./red-team-run.ts";
import { standInsFor } from "./generated/stand-ins.ts";
const [file, setUp, filter] = process.argv.slice(2);
let cases = readFileSync(file, "utf8").trimEnd().split("\n").map((l) => JSON.parse(l));
if (filter) { const re = new RegExp(filter); cases = cases.filter((c) => re.test(c.id)); }
const attempts = [];
for (let i = 0; i < cases.length; i += 200) {
  const part = cases.slice(i, i + 200);
  attempts.push(...(await runCases(part, setUp, process.argv[5] === "stand" ? standInsFor(part) : [])));
  writeFileSync(`${file}.${setUp}.out`, attempts.map((a) => JSON.stringify({ ...a, result: a.result.slice(0, 400) })).join("\n"));
  console.log(new Date().toISOString(), attempts.length);
}
const count = {};
for (const a of attempts) { const k = a.outcome.slice(0, 20); count[k] = (count[k] ?? 0) + 1; }
console.log(count, "sprung", attempts.filter((a) => a.sprung).length);
for (const a of attempts.filter((a) => a.sprung)) console.log("SPRUNG", a.id, JSON.stringify(a.command), a.outcome);
console.log(findingsOf(attempts).join("\n"));
