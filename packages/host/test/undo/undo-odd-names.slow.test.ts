/** Files with odd names, by a printed seed: each is written, goes with undo and comes back with redo. */
import { createSeededRandom, rounds, type SeededRandom } from "@kedge/testing";
import { afterAll, describe, expect, test } from "vitest";
import { linesOf, readTree } from "./file-tree.ts";
import { write } from "./scenario-calls.ts";
import { failedCalls, openSite, type SiteKind, UndoSites } from "./undo-site.ts";

const sites = new UndoSites();
afterAll(() => sites.close());

const { seed } = createSeededRandom();
const runs = rounds({ usual: 3, long: 60 });
const pieces = [
  "a",
  "b",
  " ",
  "  ",
  "-",
  "--",
  ".",
  "..",
  "\\",
  "'",
  '"',
  "`",
  "$",
  "\n",
  "\r",
  "\t",
  "\u001b",
  "\u0001",
];
const signs = ["[", "]", "[ab]", "{", "}", "{a,b}", "(", "*", "**", "?", "!", "#", ":", ";", "|", "&", "~", "%41", "="];
const letters = ["é", "e\u0301", "ß", "日本", "😀", "\u202e", "\u200b", "\u2028", "\u00a0", ".log", ".env", "build"];
const alphabet = [...pieces, ...signs, ...letters];

function randomName(random: SeededRandom): string {
  const part = () => {
    const name = Array.from({ length: 1 + random.below(4) }, () => alphabet[random.below(alphabet.length)]).join("");
    return name === "." || name === ".." ? "dots" : name;
  };
  const name = Array.from({ length: 1 + random.below(3) }, part).join("/");
  // Neither a scheme nor a part of an archive or database, which are written otherwise.
  return /:\/\/|\.(?:zip|tar|db)/.test(name) ? "plain" : name;
}

describe(`seed ${seed}`, () => {
  test.each(Array.from({ length: runs }, (_, index) => seed + index))("%i", async (own) => {
    const random = createSeededRandom(String(own));
    const kind: SiteKind = random.below(2) === 0 ? "plain" : "git";
    const site = await openSite({ place: sites.newPlace(kind), kind });
    const sessionId = await site.open();
    const leading = ["\\", "-", " ", "\n", ":", "!", "#"].map((sign) => `${sign}${random.below(1000)}`);
    const names = [...leading, ...Array.from({ length: 10 }, () => randomName(random))];
    const before = linesOf(readTree(site.root));
    const facts = await site.prompt(
      sessionId,
      names.map((name) => write(name, name)),
    );
    // A name may be a directory by now, or lie below a file.
    const failed = failedCalls(facts).filter((line) => !/directory|exists but|is a file/.test(line));
    expect({ names, failed, notices: site.notices() }).toEqual({ names, failed: [], notices: [] });
    expect(facts.at(-1)).toMatchObject({ type: "run.ended", reason: "completed" });
    const after = linesOf(readTree(site.root));
    for (const [type, expected] of [
      ["session.undo", before],
      ["session.redo", after],
      ["session.undo", before],
    ] as const) {
      expect(await site.engine.send({ type, sessionId })).toMatchObject({ ok: true });
      expect({ names, tree: linesOf(readTree(site.root)) }).toEqual({ names, tree: expected });
    }
    await site.engine.close();
  });
});
