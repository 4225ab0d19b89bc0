/** What the commands about the model, the screen and kedge itself send, and what they tell. */
import { expect, test } from "vitest";
import { type BenchParts, type Doing, openBench, Refusal, sessionId } from "../../test/command-bench.ts";

const bypass = "Bypass mode must be enabled at startup: kedge --dangerously-skip-permissions.";
const oneAgent = "Agents: build (all tools) and plan (read-only). Switch with /agent build or /agent plan.";
const modeChange = (mode: string): Doing => ["send", { type: "mode.change", sessionId, mode }];
const configRead: Doing = ["ask", { type: "config.read" }];
const doctorRun: Doing = ["ask", { type: "doctor.run" }];
const wellChecks = [
  { name: "node", state: "ok", sentence: "v24" },
  { name: "git", state: "ok", sentence: "2.50" },
];

type Case = readonly [line: string, parts: BenchParts, doings: readonly Doing[]];

const modelCases: readonly Case[] = [
  ["/models", {}, [["open", "models"]]],
  [
    "/model mock/other",
    { answers: { "model.change": { model: "mock/other" } } },
    [
      ["send", { type: "model.change", sessionId, model: "mock/other" }],
      [
        "info",
        "Model: mock/other, from the next prompt. To make it the default, run kedge config set model mock/other.",
      ],
    ],
  ],
  [
    "/model mock/other",
    { hasSession: false, answers: { "session.create": { sessionId: "ses_2" } } },
    [
      ["send", { type: "session.create", model: "mock/other" }],
      ["open session", "ses_2"],
    ],
  ],
  ["/effort high", {}, [["info", "Reasoning effort: high, from the next prompt."]]],
  ["/effort", {}, [["info", `Reasoning effort: model default. Set it with /effort off|minimal|low|medium|high|max.`]]],
  [
    "/effort more",
    {},
    [["warning", `Reasoning effort: model default. Set it with /effort off|minimal|low|medium|high|max.`]],
  ],
  ["/mode", {}, [["open", "modes"]]],
  ["/mode accept-edits", {}, [modeChange("accept-edits")]],
  ["/mode bypass", {}, [["warning", bypass]]],
  ["/mode accept", {}, [["warning", "Unknown mode accept. Did you mean accept-edits?"]]],
  ["/mode xyz", {}, [["warning", "Unknown mode xyz. Modes: default, accept-edits, plan, auto."]]],
  ["/plan", {}, [modeChange("plan")]],
  [
    "/plan a new parser",
    {},
    [
      modeChange("plan"),
      ["send", { type: "prompt.submit", sessionId, text: "a new parser", delivery: "follow-up", options: {} }],
    ],
  ],
  [
    "/plan a new parser",
    { isRunning: true },
    [
      modeChange("plan"),
      ["send", { type: "prompt.submit", sessionId, text: "a new parser", delivery: "steer", options: {} }],
    ],
  ],
  [
    "/plan a new parser",
    { answers: { "mode.change": new Refusal("No.") } },
    [modeChange("plan"), ["error", "No. Try another one."]],
  ],
  ["/agent", {}, [["info", `${oneAgent} Current: build.`]]],
  ["/agent reviewer", { mode: "plan" }, [["warning", `${oneAgent} Current: plan.`]]],
  ["/agent plan", {}, [modeChange("plan")]],
  ["/agent build", { mode: "plan" }, [modeChange("default")]],
  ["/approvals", {}, [["open", "permissions"]]],
  ["/yolo", {}, [["info", bypass]]],
  ["/login", {}, [["open", "providers"]]],
];

const viewCases: readonly Case[] = [
  ["/help", {}, [["open", "help"]]],
  ["/shortcuts", {}, [["open", "help", "keys"]]],
  ["/status", {}, [["open", "status"]]],
  ["/usage", {}, [["open", "cost"]]],
  ["/tokens", {}, [["open", "context"]]],
  ["/stats", {}, [["open", "stats"]]],
  ["/tasks", {}, [["open", "tasks"]]],
  ["/mcp", {}, [["open", "servers"]]],
  ["/agents", {}, [["open", "agents"]]],
  ["/hub", {}, [["open", "agents"]]],
  [
    "/diff",
    { answers: { "session.diff": { files: [{ patch: "--- a\n+++ a\n" }, { patch: "--- b\n+++ b\n" }] } } },
    [
      ["ask", { type: "session.diff", sessionId }],
      ["open", "diff", "--- a\n+++ a\n--- b\n+++ b"],
    ],
  ],
  [
    "/changes",
    { answers: { "session.diff": { files: [] } } },
    [
      ["ask", { type: "session.diff", sessionId }],
      ["info", "No files changed in this session."],
    ],
  ],
  [
    "/diff",
    { answers: { "session.diff": new Refusal("No.") } },
    [
      ["ask", { type: "session.diff", sessionId }],
      ["error", "No. Try another one."],
    ],
  ],
  [
    "/copy",
    { lastAnswer: "All done." },
    [
      ["copy", "All done."],
      ["success", "Last answer copied."],
    ],
  ],
  ["/copy", {}, [["warning", "No answer to copy yet."]]],
  ["/thinking", {}, [["thinking"]]],
  ["/thinking off", {}, [["thinking", false]]],
  ["/vim", {}, [["vim"]]],
  ["/vim on", {}, [["vim", true]]],
  ["/vim yes", {}, [["warning", "Usage: /vim [on|off]."]]],
  ["/themes", {}, [["open", "themes"]]],
  ["/theme ember", {}, [["theme", "ember"]]],
  ["/theme kedge", {}, [["warning", "No theme named kedge. Did you mean kedge-dark?"]]],
  ["/theme xyz", {}, [["warning", "No theme named xyz. /theme lists them."]]],
];

const kedgeCases: readonly Case[] = [
  [
    "/config",
    {
      answers: {
        "config.read": {
          entries: [
            { key: "model", layer: "user", file: "/home/config.json" },
            { key: "titles", layer: "user", file: "/home/config.json" },
            { key: "mode", layer: "project", file: "/work/kedge.json" },
            { key: "shell", layer: "default" },
          ],
          warnings: ["titels is no setting"],
        },
      },
    },
    [
      configRead,
      [
        "warning",
        "Settings files in use (kedge config list shows every setting):\nuser: /home/config.json\nproject: /work/kedge.json\ntitels is no setting.",
      ],
    ],
  ],
  [
    "/settings",
    { answers: { "config.read": { entries: [], warnings: [] } } },
    [configRead, ["info", "All settings are at their defaults. Run kedge config path to see where settings files go."]],
  ],
  [
    "/doctor",
    { answers: { "doctor.run": { checks: wellChecks }, "config.read": { entries: [], warnings: [] } } },
    [doctorRun, configRead, ["success", "No problems found. Checked: node, git."]],
  ],
  [
    "/doctor",
    { answers: { "doctor.run": { checks: wellChecks }, "config.read": { entries: [], warnings: ["a.", "b"] } } },
    [doctorRun, configRead, ["warning", "settings: a.\nsettings: b."]],
  ],
  [
    "/doctor",
    {
      answers: {
        "doctor.run": {
          checks: [
            ...wellChecks,
            { name: "trust", state: "warning", sentence: "nobody said yet." },
            { name: "ripgrep", state: "error", sentence: "it does not start", next: "Run npm ci again." },
          ],
        },
        "config.read": { entries: [], warnings: [] },
      },
    },
    [doctorRun, configRead, ["error", "trust: nobody said yet.\nripgrep: it does not start. Run npm ci again."]],
  ],
  ["/doctor", { answers: { "doctor.run": new Refusal("No.") } }, [doctorRun, ["error", "No. Try another one."]]],
  [
    "/reload",
    { answers: { "config.reload": { changed: ["model", "rules"], warnings: [] } } },
    [["send", { type: "config.reload" }], ["info", "Changed: model, rules."], ["settings read"]],
  ],
  [
    "/reload",
    { answers: { "config.reload": { changed: [], warnings: ["a"] } } },
    [["send", { type: "config.reload" }], ["warning", "No setting changed.\na."], ["settings read"]],
  ],
  ["/q", {}, [["exit"]]],
];

const stopSent: Doing = ["send", { type: "collab.stop", sessionId }];
const shareSent = (isConfirmed?: true): Doing => [
  "send",
  { type: "share.create", sessionId, ...(isConfirmed && { isConfirmed }) },
];
const handled = { server: "/home/me/.kedge/share.ts", isHandler: true, bytes: 2048, secrets: 1 };
const handlerAsked: Doing = [
  "questions",
  [
    {
      question:
        "Pass a copy of this session to /home/me/.kedge/share.ts? It is 2 KB, not encrypted, with 1 secret replaced.",
      options: [
        { label: "Upload", description: "Run your upload handler" },
        { label: "Cancel", description: "Send nothing" },
      ],
    },
  ],
];
const noLink: Doing = ["warning", "This is not a link to a shared session. Usage: /join <link>"];
const sharingCases: readonly Case[] = [
  [
    "/leave",
    { answers: { "collab.stop": { wasShared: true } } },
    [stopSent, ["info", "No longer shared. The links no longer work."]],
  ],
  ["/leave", { answers: { "collab.stop": { wasShared: false } } }, [stopSent, ["info", "Not shared."]]],
  ["/leave", { hasSession: false }, [["info", "Not shared."]]],
  ["/leave", { scope: "prompt" }, [["exit"]]],
  ["/leave", { scope: "read" }, [["exit"]]],
  [
    "/join https://relay.example.com/#room.key",
    {},
    [["info", 'Run this in another terminal:\nkedge join "https://relay.example.com/#room.key"']],
  ],
  ['/join "room.key"', {}, [["info", 'Run this in another terminal:\nkedge join "room.key"']]],
  [
    "/share",
    { answers: { "share.create": { ...handled, link: "Copied." } }, questionAnswers: ["Upload"] },
    [shareSent(), handlerAsked, shareSent(true), ["success", "Copied."]],
  ],
  ["/share", { answers: { "share.create": handled }, questionAnswers: ["Cancel"] }, [shareSent(), handlerAsked]],
  ["/join", {}, [noLink]],
  ["/join $(date)", {}, [noLink]],
  ['/join a.b";date;"', {}, [noLink]],
  ["/join a.b\u001b[2J", {}, [noLink]],
];

test.each([...modelCases, ...viewCases, ...kedgeCases, ...sharingCases])(
  "%s does what it says (%#)",
  async (line, parts, doings) => {
    expect(await openBench(parts).run(line)).toEqual(doings);
  },
);

test("the effort that was chosen is told, and goes with the next prompt", async () => {
  const bench = openBench();
  await bench.run("/effort low");
  await bench.run("/effort");
  await bench.run("/plan go");
  expect(bench.doings).toEqual([
    ["info", "Reasoning effort: low, from the next prompt."],
    ["info", `Reasoning effort: low. Set it with /effort off|minimal|low|medium|high|max.`],
    modeChange("plan"),
    [
      "send",
      {
        type: "prompt.submit",
        sessionId,
        text: "go",
        delivery: "follow-up",
        options: { reasoning: { effort: "low" } },
      },
    ],
  ]);
});
