/** The commands that panes are made with, one word of them per argument, and which backend is chosen. */
import { expect, test } from "vitest";
import { createBackends, createItermBackend, createTmuxBackend, type RunProgram } from "../../src/teams/index.ts";

type Reply = { readonly code?: number; readonly stdout?: string; readonly stderr?: string };

function recorded(reply: (words: readonly string[]) => Reply = () => ({})) {
  const ran: (readonly string[])[] = [];
  const run: RunProgram = async (words) => {
    ran.push(words);
    return { code: 0, stdout: "", stderr: "", ...reply(words) };
  };
  return { ran, run };
}

const hostile = "/a b/$(touch x); `y` 'z'";
const order = { title: "one", command: ["/bin/node", "/kedge.js", "teammate", hostile], cwd: "/work dir" };
const ids = [
  "11111111-2222-3333-4444-555555555555",
  "21111111-2222-3333-4444-555555555555",
  "31111111-2222-3333-4444-555555555555",
];

test("inside tmux the first pane takes 70 % beside the leader, and later ones share it", async () => {
  let made = 0;
  const { ran, run } = recorded((words) => {
    if (words.includes("split-window")) made += 1;
    if (words.includes("split-window")) return { stdout: `%${made} 10${made}\n` };
    return words.includes("list-panes") ? { stdout: ["%0", "%1", "%2"].slice(0, made + 1).join("\n") } : {};
  });
  const tmux = createTmuxBackend({ run, leaderPane: "%0", socket: "unused" });
  expect(await tmux.open(order)).toEqual({ paneId: "%1", pid: 101 });
  await tmux.open({ ...order, title: "two" });
  const splits = ran.filter((words) => words.includes("split-window"));
  const tail = ["-c", "/work dir", "-P", "-F", "#{pane_id} #{pane_pid}", "--", ...order.command];
  expect(splits).toEqual([
    ["tmux", "split-window", "-d", "-h", "-l", "70%", "-t", "%0", ...tail],
    ["tmux", "split-window", "-d", "-v", "-t", "%1", ...tail],
  ]);
  expect(ran).toContainEqual(["tmux", "set-window-option", "-t", "%0", "main-pane-width", "30%"]);
  expect(ran).toContainEqual(["tmux", "select-layout", "-t", "%0", "main-vertical"]);
  expect(tmux.attach).toBeUndefined();
});

test("panes that the user opened beside the leader keep their layout", async () => {
  let made = 0;
  const { ran, run } = recorded((words) => {
    if (words.includes("split-window")) made += 1;
    if (words.includes("split-window")) return { stdout: `%${made} 1\n` };
    return words.includes("list-panes")
      ? { stdout: `%0\n%9\n${Array.from({ length: made }, (_, index) => `%${index + 1}`).join("\n")}` }
      : {};
  });
  const tmux = createTmuxBackend({ run, leaderPane: "%0", socket: "unused" });
  await tmux.open(order);
  await tmux.open(order);
  expect(ran.some((words) => words.includes("select-layout"))).toBe(false);
});

test("iTerm2 splits vertically from the leader, then below the last, and passes over panes that are gone", async () => {
  let made = 0;
  const gone = new Set<string>();
  const { ran, run } = recorded((words) => {
    if (words.includes("list")) return { stdout: ids.filter((id) => !gone.has(id)).join("\n") };
    if (!words.includes("split")) return {};
    if (words.some((word) => gone.has(word))) return { code: 1, stderr: "no such session" };
    made += 1;
    return { stdout: `Created new pane: ${ids[made - 1]}` };
  });
  const iterm = createItermBackend({ run, leaderSession: "leader" });
  await iterm.open(order);
  await iterm.open(order);
  gone.add(ids[1] ?? "");
  expect(await iterm.open(order)).toEqual({ paneId: ids[2] });
  expect(ran.filter((words) => words.includes("split"))).toEqual([
    ["it2", "session", "split", "--vertical", "--session", "leader"],
    ["it2", "session", "split", "--session", ids[0]],
    ["it2", "session", "split", "--session", ids[1]],
    ["it2", "session", "split", "--session", ids[0]],
  ]);
  // What is typed into the shell of a pane is quoted, so that nothing in it is read as a command.
  const typed = ran.find((words) => words.includes("run"))?.at(-1);
  expect(typed).toBe(`cd '/work dir' && exec '/bin/node' '/kedge.js' 'teammate' '/a b/$(touch x); \`y\` '\\''z'\\'''`);
});

const parts = { hasProgram: true, socket: "kedge-swarm-1", settle: async () => undefined, onNotice: () => undefined };

test.each([
  ["inside tmux", { TMUX: "/tmp/x,1,0", TMUX_PANE: "%3" }, {}, "tmux", undefined],
  ["with tmux installed", {}, {}, "tmux", "tmux -L kedge-swarm-1 attach"],
  ["in iTerm2", { TERM_PROGRAM: "iTerm.app" }, { tmux: 127 }, "iterm2", undefined],
  ["with neither", {}, { tmux: 127, it2: 127 }, undefined, undefined],
  ["in iTerm2 without its command", { TERM_PROGRAM: "iTerm.app" }, { tmux: 127, it2: 127 }, undefined, undefined],
])(
  "%s the backend is found once",
  async (_, environment: Record<string, string>, codes: Record<string, number>, kind, attach) => {
    const { ran, run } = recorded(([program = ""]) => ({ code: codes[program] ?? 0 }));
    const backends = createBackends({ ...parts, run, wish: "auto", environment });
    const found = await backends.find();
    expect([found?.kind, found?.attach]).toEqual([kind, attach]);
    const looks = ran.length;
    await backends.find();
    expect(ran).toHaveLength(looks);
  },
);

test("a pane that cannot be opened makes the session use its own process for good", async () => {
  const notices: string[] = [];
  const { ran, run } = recorded((words) =>
    words.includes("-V") || words.includes("list-panes") ? {} : { code: 1, stderr: "no space for new pane" },
  );
  const backends = createBackends({
    ...parts,
    run,
    wish: "tmux",
    environment: {},
    onNotice: (text) => notices.push(text),
  });
  expect(await backends.open(order)).toBeUndefined();
  const tries = ran.length;
  expect(await backends.open(order)).toBeUndefined();
  expect(await backends.find()).toBeUndefined();
  expect(ran).toHaveLength(tries);
  expect(notices).toEqual([expect.stringContaining("no space for new pane")]);
});
