import { expect, test } from "vitest";
import { keyName } from "../screen/input.ts";
import { type Action, actionNames, actions } from "./actions.ts";
import { createKeybinds, type KeybindConfig } from "./keybinds.ts";
import { opencodeActions } from "./opencode-actions.ts";

const keybinds = (config: KeybindConfig) => createKeybinds(config).keybinds;

/** What a row of keys does, in the end. */
function pressed(config: KeybindConfig, keys: string, context?: "prompt" | "reading"): string {
  const words = keys.split(" ");
  const { match } = keybinds(config);
  const kinds = words.map((key, index) => match(words.slice(0, index), key, context));
  return kinds.map((found) => (found.kind === "action" ? found.action : found.kind)).join(" ");
}

test("the defaults are without a conflict, and every action but none has its keys", () => {
  const { keybinds: defaults, warnings } = createKeybinds();
  expect(warnings).toEqual([]);
  expect(actionNames.filter((action) => defaults.keysOf(action).length === 0)).toEqual([]);
  const shown = actionNames.map((action) => defaults.keysOf(action).join(","));
  expect(shown).toEqual(actionNames.map((action) => actions[action].keys.replaceAll("<leader>", "ctrl+x ")));
});

test.each([
  ["enter", "submit"],
  ["shift+enter", "newline"],
  ["ctrl+k", "palette"],
  ["meta+k", "palette"],
  ["ctrl+x m", "pending model_list"],
  ["ctrl+x ?", "pending help"],
  ["ctrl+x shift+?", "pending help"],
  ["ctrl+x /", "pending search"],
  ["ctrl+x z", "pending none"],
  ["f1", "help"],
  ["pageUp", "scroll_page_up"],
  ["a", "none"],
  ["ctrl+f", "none"],
  ["up", "none"],
])("by default %s does %s", (keys, expected) => {
  expect(pressed({}, keys)).toBe(expected);
});

test("keys are matched by the names that the screen gives them", () => {
  const key = keyName({ name: "u", ctrl: true, alt: true, shift: false, meta: false });
  expect(keybinds({}).match([], key)).toEqual({ kind: "action", action: "scroll_half_up" });
});

test.each<[KeybindConfig, string, string]>([
  [{ keybinds: { palette: "Ctrl+P, F2" } }, "ctrl+p", "palette"],
  [{ keybinds: { palette: "Ctrl+P, F2" } }, "f2", "palette"],
  [{ keybinds: { palette: "Ctrl+P, F2" } }, "ctrl+k", "none"],
  [{ keybinds: { palette: ["ctrl+p", "f2"] } }, "f2", "palette"],
  [{ keybinds: { palette: "none" } }, "ctrl+k", "none"],
  [{ keybinds: { palette: false } }, "ctrl+k", "none"],
  [{ keybinds: { palette: "ctrl+k ctrl+p" } }, "ctrl+k ctrl+p", "pending palette"],
  [{ keybinds: { palette: "<leader> z p" } }, "ctrl+x z p", "pending pending palette"],
  [{ leader: "ctrl+b" }, "ctrl+b m", "pending model_list"],
  [{ keybinds: { leader: "ctrl+b" } }, "ctrl+b m", "pending model_list"],
  [{ leader: "ctrl+a", keybinds: { leader: "ctrl+b" } }, "ctrl+a m", "pending model_list"],
  [{ leader: "none" }, "ctrl+x m", "none none"],
  [{ keybinds: { palette: "super+shift+P" } }, "shift+meta+p", "palette"],
  [{ keybinds: { palette: "shift+alt+control+pgup" } }, "ctrl+alt+shift+pageUp", "palette"],
  [{ keybinds: { palette: "ctrl+," } }, "ctrl+,", "palette"],
  [{ keybinds: { palette: "ctrl+plus" } }, "ctrl++", "palette"],
  [{ keybinds: { palette: "alt+comma,esc" } }, "alt+,", "palette"],
])("with %j the keys %s do %s", (config, keys, expected) => {
  expect(pressed(config, keys)).toBe(expected);
});

test.each<[KeybindConfig["keybinds"] & object, readonly string[]]>([
  [{ palete: "ctrl+p" }, ['keybinds.palete is not an action. Did you mean "palette"?']],
  [{ qqqq: "ctrl+p" }, ["keybinds.qqqq is not an action. Action names look like palette, model_list or session_new."]],
  [{ toString: "ctrl+p" } as never, ['keybinds.toString is not an action. Did you mean "thinking"?']],
  [{ palette: "hyper+p" }, ['keybinds.palette: ignored "hyper+p": it contains "hyper+p", which is not a key.']],
  [{ palette: "ctrl+k,," }, ['keybinds.palette: ignored "": it is empty.']],
  [{ palette: "a b c d e" }, ['keybinds.palette: ignored "a b c d e": it has more than 4 keys.']],
  [{ submit: "s" }, ['keybinds.submit: ignored "s": it would block typing.']],
  [{ sidebar: "ctrl+t" }, ['"ctrl+t" is bound to both sidebar and tasks; using sidebar.']],
  [{ redraw: "ctrl+t" }, ['"ctrl+t" is bound to both redraw and tasks; using redraw.']],
  [{ sidebar: "f5", tasks: "f5" }, ['"f5" is bound to both sidebar and tasks; using sidebar.']],
  [{ sidebar: "ctrl+t", tasks: "none" }, []],
  [
    { sidebar: "ctrl+t", tasks: "ctrl+t ctrl+t" },
    ['"ctrl+t ctrl+t" for tasks is unreachable because "ctrl+t" is bound to sidebar.'],
  ],
  [{ leader: "x" }, ['leader: "x" cannot be used; using ctrl+x.']],
  [
    { leader: "none", palette: "<leader>p" },
    ['keybinds.palette: ignored "<leader>p": it needs a leader key, but none is set.'],
  ],
  [{ scroll_down: "j" }, []],
])("%j is told as %j", (binds, expected) => {
  expect(createKeybinds({ keybinds: binds }).warnings).toEqual(expected);
});

test("a key that types something counts only where nothing is typed", () => {
  const config = { keybinds: { scroll_down: "j,shift+down", scroll_bottom: "G", scroll_top: "g g" } };
  expect(pressed(config, "j")).toBe("none");
  expect(pressed(config, "j", "reading")).toBe("scroll_down");
  expect(pressed(config, "shift+g", "reading")).toBe("scroll_bottom");
  expect(pressed(config, "g g", "reading")).toBe("pending scroll_top");
  expect(pressed(config, "enter", "reading")).toBe("none");
  expect(keybinds(config).keysOf("scroll_down")).toEqual(["shift+down", "j"]);
});

test("a sequence that cannot be reached is not shown", () => {
  const config = { keybinds: { sidebar: "ctrl+t", tasks: "ctrl+t ctrl+t,f6" } };
  expect(keybinds(config).keysOf("tasks")).toEqual(["f6"]);
  expect(pressed(config, "ctrl+t")).toBe("sidebar");
});

test("keybinds of OpenCode count under its names, older and newer", () => {
  const { keybinds: found, warnings } = createKeybinds({
    keybinds: {
      leader: "ctrl+x",
      app_exit: "ctrl+c,ctrl+d,<leader>q",
      command_list: "ctrl+p",
      "session.list": "<leader>s",
      status_view: "none",
      messages_page_up: "pageup,ctrl+alt+b",
      messages_first: "ctrl+home",
      input_submit: "return",
      agent_cycle: "tab",
    },
  });
  expect(warnings).toEqual([]);
  const names = [
    "exit",
    "palette",
    "session_list",
    "status",
    "scroll_page_up",
    "scroll_top",
    "submit",
    "clear_input",
  ] as const;
  expect(Object.fromEntries(names.map((name) => [name, found.keysOf(name)]))).toEqual({
    exit: ["ctrl+d", "ctrl+x q"],
    palette: ["ctrl+p"],
    session_list: ["ctrl+x s"],
    status: [],
    scroll_page_up: ["pageUp", "ctrl+alt+b"],
    scroll_top: ["ctrl+home"],
    submit: ["enter"],
    clear_input: ["ctrl+c"],
  });
});

test.each([[{ command_list: "f3", palette: "f4" }], [{ palette: "f4", command_list: "f3" }]])(
  "our own name is stronger than the foreign one in %j",
  (binds) => {
    expect(keybinds({ keybinds: binds }).keysOf("palette")).toEqual(["f4"]);
  },
);

test("every foreign name leads to an action, and none hides one of ours", () => {
  const known = new Set<string>(actionNames);
  expect(Object.entries(opencodeActions).filter(([name, action]) => known.has(name) || !known.has(action))).toEqual([]);
});

test("every action says what it does, in one plain line", () => {
  const odd = actionNames.filter((name: Action) => !/^[A-Z][^.]{5,60}$/.test(actions[name].summary));
  expect(odd).toEqual([]);
});
