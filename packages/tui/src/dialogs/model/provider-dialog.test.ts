/** Providers: their keys and sign-ins, how each looks, and what each key does. */
import { expect, test } from "vitest";
import { providers, theme } from "../../../test/picker-samples.ts";
import { insideOf, press, screenOf, type } from "../../../test/press.ts";
import { createLoginWaitDialog } from "./login-dialogs.ts";
import type { ProviderList } from "./model-dialog.ts";
import { createProviderDialog } from "./provider-dialog.ts";

type Calls = (readonly unknown[])[];

function keys(given: () => ProviderList | undefined = () => providers, providerId?: string) {
  const calls: Calls = [];
  const dialog = createProviderDialog({
    providers: given,
    theme,
    onKey: (id, key) => calls.push(["key", id, key]),
    onLogin: ({ providerId: id, method }) => calls.push(["login", id, method]),
    onRemove: (id) => calls.push(["remove", id]),
    ...(providerId !== undefined && { providerId }),
  });
  dialog.render(76, 22);
  return { dialog, calls };
}

test("providers with the state of their keys", () => {
  expect(screenOf(keys().dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Providers ──────────────────────────────────────────────╮
    │ ❯                              3 entries, type to filter │
    │                                                          │
    │ ❯ Anthropic  environment variable ANTHROPIC_A… has a key │
    │   Local 漢字  1 model                          has a key │
    │   OpenAI  1 model                                 no key │
    │                                                          │
    │ up/down select · enter choose · ctrl+d remove key        │
    │ esc close                                                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  expect(insideOf(keys(() => undefined).dialog)[2]).toBe("Loading providers…");
  expect(insideOf(keys(() => ({ providers: [] })).dialog)[2]).toBe(
    "No providers found. Add one under provider in ~/.kedge/config.json.",
  );
});

test("a key is typed unseen and stored, and removed after a question", () => {
  const { dialog, calls } = keys();
  type(dialog, "openai");
  press(dialog, "ctrl+d");
  expect(dialog.title).toBe("Providers");
  press(dialog, "enter");
  dialog.handle({ kind: "paste", text: "sk-secret" });
  expect(dialog.title).toBe("Key for OpenAI");
  expect(insideOf(dialog).join("\n")).not.toContain("secret");
  press(dialog, "enter");
  press(dialog, "ctrl+u");
  press(dialog, "home");
  press(dialog, "ctrl+d");
  press(dialog, "y");
  expect(calls).toEqual([
    ["key", "openai", "sk-secret"],
    ["remove", "anthropic"],
  ]);
});

const logins = [
  { method: "device", label: "GitLab account, with a code", notice: "GitLab bills the seat." },
  {
    method: "browser",
    label: "GitLab account, with a browser",
    notice: "GitLab bills it.",
    missing: "Set the client id.",
  },
] as const;

test("a provider with sign-ins asks which way, says who pays, and begins none that lacks something", () => {
  const withLogins = { providers: [{ providerId: "gitlab", name: "GitLab", hasKey: false, models: [], logins }] };
  const { dialog, calls } = keys(() => withLogins);
  press(dialog, "enter");
  press(dialog, "3");
  expect(insideOf(dialog).join("\n")).toContain("Set the client id.");
  press(dialog, "enter");
  press(dialog, "2");
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ GitLab account, with a code ────────────────────────────╮
    │ GitLab bills the seat.                                   │
    │                                                          │
    │ ❯ b  Back                                                │
    │   s  Sign in                                             │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  press(dialog, "escape");
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Sign in to GitLab ──────────────────────────────────────╮
    │ How do you want to sign in?                              │
    │                                                          │
    │ ❯ 1  API key or token                                    │
    │   2  GitLab account, with a code                         │
    │   3  GitLab account, with a browser                      │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  expect(calls).toEqual([]);
  press(dialog, "2");
  press(dialog, "s");
  expect(calls).toEqual([["login", "gitlab", "device"]]);
  press(dialog, "enter");
  press(dialog, "1");
  expect(dialog.title).toBe("Key for GitLab");
});

test("while the person is in the browser the address and the code are in sight", () => {
  const calls: string[] = [];
  const dialog = createLoginWaitDialog({
    name: "GitLab",
    url: "https://gitlab.example.com/enter",
    code: "WDJB-\u001b[31mMJHT",
    theme,
    onCopy: () => calls.push("copy"),
    onCancel: () => calls.push("cancel"),
  });
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Signing in to GitLab ───────────────────────────────────╮
    │ Open https://gitlab.example.com/enter                    │
    │ Enter the code WDJB-MJHT                                 │
    │ kedge continues automatically when you are done.         │
    │                                                          │
    │ ❯ c  Copy the URL                                        │
    │   x  Cancel                                              │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  press(dialog, "c");
  press(dialog, "escape");
  expect(calls).toEqual(["copy", "cancel"]);
});

test("opened for one provider it asks for its key at once, and Escape shows the others", () => {
  const { dialog } = keys(() => providers, "openai");
  expect(dialog.title).toBe("Key for OpenAI");
  expect(press(dialog, "escape")).toBe(true);
  expect(dialog.title).toBe("Providers");
});
