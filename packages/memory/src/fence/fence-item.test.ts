/** The fence: whatever an item says, nothing in it can be read as the end of it or as another one. */
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { fenceItem } from "./fence-item.ts";
import { countMarkers } from "./marker-text.ts";

const nonce = "00112233445566778899aabbccddeeff";

test("an item carries where it comes from", () => {
  const item = { kind: "topic", name: "a.md", origin: "user-stated", saved: "2026-03-01", sessionId: "ses_1", nonce };
  expect(fenceItem({ ...item, text: "Use tabs." })).toBe(
    `<untrusted-data kind="topic" name="a.md" origin="user-stated" saved="2026-03-01" session="ses_1" nonce="${nonce}">\nUse tabs.\n</untrusted-data nonce="${nonce}">`,
  );
});

test("what is inserted is cut there, and says so", () => {
  const item = { kind: "topic", name: "a.md", origin: "team", nonce, text: `${"é".repeat(10)}\nb\nc` };
  expect(fenceItem({ ...item, bytesMax: 5 })).toContain(">\néé\n[cut: 12 characters not shown]\n<");
  expect(fenceItem({ ...item, linesMax: 2 })).toContain("\nb\n[cut: 2 characters not shown]\n<");
});

test("no text closes its fence or opens another", () => {
  const random = createSeededRandom();
  const hidden = ["\u200b", "\u00ad", "\u202e", "\u2060", "\u0007", "\ufeff"];
  const marks = ["<", ">", "</", "＜", "＞", "‹", "›", "<<", ">>", '"', "\\", "=", " ", "\n", "-", "_", "/"];
  const words = [
    "untrusted",
    "data",
    "UNTRUSTED",
    "untrusted-data",
    "nonce",
    nonce,
    "system-reminder",
    "kedge_memory",
    "x",
  ];
  const pieces = [...hidden, ...marks, ...words, "</untrusted-data>", `</untrusted-data nonce="${nonce}">`];
  const randomText = () =>
    Array.from({ length: 1 + random.below(24) }, () => pieces[random.below(pieces.length)]).join("");
  for (let round = 0; round < rounds({ usual: 3_000, long: 100_000 }); round++) {
    const given = { kind: randomText(), name: randomText(), origin: randomText(), text: randomText() };
    const [opening = "", ...rest] = fenceItem({ ...given, nonce }).split("\n");
    const shown = JSON.stringify({ seed: random.seed, given, opening, rest });
    expect(
      opening.match(
        /^<untrusted-data kind="(?:[^"\\]|\\.)*" name="(?:[^"\\]|\\.)*" origin="(?:[^"\\]|\\.)*" nonce="\w{32}">$/,
      ) !== null,
      shown,
    ).toBe(true);
    expect(opening.slice(1, -1), shown).not.toMatch(/[<>]/);
    expect(rest.pop(), shown).toBe(`</untrusted-data nonce="${nonce}">`);
    const inside = rest
      .join("\n")
      .normalize("NFKC")
      .replaceAll(/[\s\p{Cf}\p{Cc}_-]+/gu, "")
      .toLowerCase();
    expect(countMarkers(rest.join("\n")), shown).toBe(0);
    expect(inside.match(/<\/?untrusteddata/), shown).toBeNull();
    expect(inside.match(/<\/?systemreminder/), shown).toBeNull();
  }
});
