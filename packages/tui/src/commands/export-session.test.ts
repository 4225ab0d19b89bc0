/** Which file an export is written to, in which format, and what is told of it. */
import { expect, test } from "vitest";
import { openBench, Refusal, sessionId } from "../../test/command-bench.ts";
import { bug, type ExportWish, exportSession, parseExport } from "./export-session.ts";

test.each<readonly [argument: string, wish: ExportWish]>([
  ["", { ok: true, format: "md" }],
  ["html", { ok: true, format: "html" }],
  ["Markdown", { ok: true, format: "md" }],
  ["notes.html", { ok: true, path: "notes.html", format: "html" }],
  ["notes.JSONL", { ok: true, path: "notes.JSONL", format: "jsonl" }],
  ["my notes.json", { ok: true, path: "my notes.json", format: "json" }],
  ['"my notes.json"', { ok: true, path: "my notes.json", format: "json" }],
  ["notes.txt html", { ok: true, path: "notes.txt", format: "html" }],
  ["../out/notes", { ok: true, path: "../out/notes.md", format: "md" }],
  ["notes json", { ok: true, path: "notes.json", format: "json" }],
  [".hidden", { ok: true, path: ".hidden.md", format: "md" }],
  ["notes.pdf", { ok: false, sentence: "Unknown file type .pdf. Add a format after the name: md, html, json, jsonl." }],
])("/export %s", (argument, wish) => {
  expect(parseExport(argument)).toEqual(wish);
});

const asked = (format: string) => ["ask", { type: "session.export", sessionId, format }];

test("an export without a name has one by the session", async () => {
  expect(await openBench({ answers: { "session.export": { text: "# A" } } }).run("/export")).toEqual([
    asked("md"),
    ["write", "kedge-abcd1234.md", "# A"],
    ["info", "Written to kedge-abcd1234.md."],
  ]);
});

test("an id that a server chose is never a way to elsewhere", async () => {
  const { context, doings } = openBench({ answers: { "session.export": { text: "{}" } } });
  const { session, ...state } = context.state();
  if (session === undefined) throw new Error("the bench has a session");
  const hostile = { ...context, state: () => ({ ...state, session: { ...session, id: "ses_1/../\u001b[2J/.x" } }) };
  await exportSession("", hostile);
  await bug("", hostile);
  const written = doings.filter(([what]) => what === "write" || what === "report").map(([, path]) => path);
  expect(written).toEqual(["kedge-ses_12Jx.md", "kedge-bug-ses_12Jx.json"]);
});

test("an export goes to the file that is named", async () => {
  expect(await openBench({ answers: { "session.export": { text: "<p>" } } }).run("/export out/a.html")).toEqual([
    asked("html"),
    ["write", "out/a.html", "<p>"],
    ["info", "Written to out/a.html."],
  ]);
});

test("an unknown ending asks for nothing", async () => {
  const [[tone] = []] = await openBench().run("/export a.pdf");
  expect(tone).toBe("warning");
});

test("an export that fails writes nothing", async () => {
  expect(await openBench({ answers: { "session.export": new Refusal("No.") } }).run("/export")).toEqual([
    asked("md"),
    ["error", "No. Try another one."],
  ]);
});

test("a bug report is a file, and is not sent", async () => {
  expect(await openBench({ answers: { "session.export": { text: "{}" } } }).run("/bug")).toEqual([
    asked("json"),
    ["report", "kedge-bug-abcd1234.json", "{}"],
    ["info", "Written to kedge-bug-abcd1234.json. Nothing was sent. Review the file, then attach it to your report."],
  ]);
});

test("a dump goes to the clipboard", async () => {
  expect(await openBench({ answers: { "session.export": { text: "# A" } } }).run("/dump")).toEqual([
    asked("md"),
    ["copy", "# A"],
    ["success", "Conversation copied."],
  ]);
});

test.each(["/export", "/bug", "/dump"])("%s needs a session", async (line) => {
  expect(await openBench({ hasSession: false }).run(line)).toEqual([
    ["warning", "No session yet. Choose a model with /model to start one."],
  ]);
});
