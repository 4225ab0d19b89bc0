import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { builtinThemeNames, builtinThemeText } from "./builtin-themes.ts";
import { createThemeDesk, type ThemeDesk } from "./theme-desk.ts";

const slots = { dark: "kedge-dark", light: "kedge-light", mode: "auto" } as const;
const white = { red: 250, green: 250, blue: 240 };

/** A folder of themes in memory that counts who watches what. */
function openFolder(first: { readonly [name: string]: string }) {
  const texts = new Map(Object.entries(first));
  const watchers = new Map<string, () => void>();
  return {
    files: {
      list: () => [...texts.keys()],
      read: (name: string) => texts.get(name),
      watch(name: string, listener: () => void) {
        watchers.set(name, listener);
        return () => void watchers.delete(name);
      },
    },
    watched: () => [...watchers.keys()],
    put(name: string, text: string | undefined) {
      if (text === undefined) texts.delete(name);
      else texts.set(name, text);
      watchers.get(name)?.();
    },
  };
}

function openDesk(folder: ReturnType<typeof openFolder>, chosen: object = {}) {
  const desk = createThemeDesk({
    slots: { ...slots, ...chosen },
    background: {},
    look: { depth: "24bit" },
    files: folder.files,
  });
  const seen: string[] = [];
  desk.onChange(() => seen.push(desk.current().name));
  return { desk, seen };
}

const ember = builtinThemeText("ember") ?? "";
const accentOf = (desk: ThemeDesk) => desk.current().fg("accent", "x");
const withAccent = (color: string) =>
  JSON.stringify({ ...JSON.parse(ember), colors: { ...JSON.parse(ember).colors, accent: color } });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a preview is shown and taken back; one that fails changes nothing", () => {
  const { desk, seen } = openDesk(openFolder({ broken: "[" }));
  const first = desk.current();
  expect(desk.preview("fjord")).toEqual({ ok: true });
  expect(desk.current().name).toBe("fjord");
  expect(desk.preview("broken")).toMatchObject({ ok: false, problems: [expect.stringContaining("not valid JSON")] });
  expect(desk.current().name).toBe("fjord");
  desk.cancelPreview();
  desk.cancelPreview();
  expect(desk.current().name).toBe(first.name);
  expect(seen).toEqual(["fjord", "kedge-dark"]);
});

test("choosing takes the slot in use, and the other slot keeps its theme", () => {
  const { desk } = openDesk(openFolder({ mine: ember }));
  expect(desk.choose("mine")).toEqual({ ok: true, slot: "dark" });
  desk.setBackground({ rgb: white });
  expect(desk.current().name).toBe("kedge-light");
  expect(desk.choose("parchment")).toEqual({ ok: true, slot: "light" });
  desk.setMode("dark");
  expect(desk.current().name).toBe("mine");
  expect(desk.choose("nowhere")).toMatchObject({ ok: false });
  expect(desk.current().name).toBe("mine");
});

test("a flat name of the other slot is still there after a choice", () => {
  const { desk } = openDesk(openFolder({}), { flat: "parchment" });
  expect(desk.current().name).toBe("kedge-dark");
  desk.choose("fjord");
  desk.setBackground({ rgb: white });
  expect(desk.current().name).toBe("parchment");
});

test("only the file of the theme in use is watched", () => {
  const folder = openFolder({ mine: ember, other: ember });
  const { desk } = openDesk(folder);
  expect(folder.watched()).toEqual([]);
  desk.choose("mine");
  expect(folder.watched()).toEqual(["mine"]);
  desk.preview("other");
  expect(folder.watched()).toEqual(["mine"]);
  desk.choose("other");
  expect(folder.watched()).toEqual(["other"]);
  desk.close();
  expect(folder.watched()).toEqual([]);
});

test("a changed file is read once when it came to rest, and the last good state outlives a broken or missing one", () => {
  const folder = openFolder({ mine: withAccent("#010203") });
  const { desk, seen } = openDesk(folder, { dark: "mine" });
  expect(accentOf(desk)).toContain("38;2;1;2;3m");
  folder.put("mine", withAccent("#040506"));
  folder.put("mine", withAccent("#070809"));
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(seen).toEqual(["mine"]);
  expect(accentOf(desk)).toContain("38;2;7;8;9m");
  const good = desk.current();
  folder.put("mine", "{");
  vi.advanceTimersByTime(200);
  expect(desk.problems()).toEqual([expect.stringMatching(/^Theme "mine": The file is not valid JSON/)]);
  folder.put("mine", undefined);
  vi.advanceTimersByTime(200);
  desk.setBackground({ rgb: { red: 0, green: 0, blue: 0 } });
  expect(desk.current()).toBe(good);
  folder.put("mine", withAccent("#0a0b0c"));
  vi.advanceTimersByTime(200);
  expect(accentOf(desk)).toContain("38;2;10;11;12m");
  expect(desk.problems()).toEqual([]);
});

test("a change that waits is void once the desk is closed or another theme chosen", () => {
  const folder = openFolder({ mine: ember });
  const { desk, seen } = openDesk(folder, { dark: "mine" });
  folder.put("mine", withAccent("#040506"));
  desk.choose("fjord");
  vi.advanceTimersByTime(200);
  desk.choose("mine");
  folder.put("mine", ember);
  desk.close();
  vi.advanceTimersByTime(200);
  expect(seen).toEqual(["fjord", "mine"]);
});

test("problems of the first choice are told, and all names are listed once", () => {
  const { desk } = openDesk(openFolder({ zebra: ember, "kedge-dark": ember, apple: ember }), { dark: "nowhere" });
  expect(desk.problems().at(-1)).toBe('Using "kedge-dark" instead.');
  expect(desk.names()).toEqual([...builtinThemeNames, "apple", "zebra"]);
});

test("the terminal's theme is as dark as the terminal", () => {
  const { desk } = openDesk(openFolder({}), { dark: "terminal", light: "terminal" });
  expect(desk.current().isDark).toBe(true);
  desk.setBackground({ rgb: white });
  expect(desk.current().isDark).toBe(false);
});
