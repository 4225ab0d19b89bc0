/** Random work on files, by a printed seed: every prompt goes back and forth to the byte. */
import { createSeededRandom, rounds, type SeededRandom } from "@kedge/testing";
import { afterAll, describe, expect, test } from "vitest";
import { applied, linesOf, readTree } from "./file-tree.ts";
import { bash } from "./scenario-calls.ts";
import { openSite, type SiteKind, type Step, UndoSites } from "./undo-site.ts";

const sites = new UndoSites();
afterAll(() => sites.close());

const { seed } = createSeededRandom();
const runs = rounds({ usual: 4, long: 60 });
const names = [
  "src/a.txt",
  "src/new",
  "docs",
  "docs/guide.md",
  "docs/x y",
  ".env",
  "build/out.js",
  "build",
  "build/n/ü",
  "l.log",
  "top",
  "link-to-folder",
  "src/run.sh",
];

/** Each command works or does nothing, whatever lies there. */
function randomCommand({ below }: SeededRandom): string {
  const [one = "", other = ""] = [names[below(names.length)], names[below(names.length)]];
  const parent = `mkdir -p "$(dirname '${one}')" 2>/dev/null`;
  const commands = [
    `${parent}; printf ${below(1000)} > '${one}'`,
    `rm -rf '${one}'`,
    `mv '${one}' '${other}'`,
    `cp -r '${one}' '${other}'`,
    `chmod ${below(2) === 0 ? "+x" : "-x"} '${one}'`,
    `rm -rf '${one}'; ln -s '${other}' '${one}'`,
    `rm -rf '${one}'; mkdir -p '${one}/d'; printf ${below(1000)} > '${one}/d/f'`,
    `printf ${below(1000)} >> '${one}'`,
    `mkdir -p '${one}'`,
    `mkdir -p '${one}/empty/deep' '${other}/empty'`,
    `find '${one}' -type f -delete`,
    `find '${one}' -depth -type d -empty -delete`,
    `rmdir '${one}/empty/deep'`,
  ];
  return `${commands[below(commands.length)]} 2>/dev/null || true`;
}

describe(`seed ${seed}`, () => {
  test.each(Array.from({ length: runs }, (_, index) => seed + index))("%i", async (own) => {
    const random = createSeededRandom(String(own));
    const kind: SiteKind = random.below(3) === 0 ? "plain" : "git";
    const site = await openSite({ place: sites.newPlace(kind), kind });
    const sessionId = await site.open();
    const story: string[] = [];
    const trees = [readTree(site.root)];
    for (let prompt = 0; prompt < 1 + random.below(4); prompt += 1) {
      const steps = Array.from({ length: 1 + random.below(3) }, (): Step => {
        const command = randomCommand(random);
        story.push(command);
        return bash(command);
      });
      await site.prompt(sessionId, random.below(2) === 0 ? steps : [steps.flat()]);
      story.push("--");
      trees.push(readTree(site.root));
    }
    expect(site.notices()).toEqual([]);
    const go = async (type: "session.undo" | "session.redo", from: number, to: number) => {
      const answer = await site.engine.send({ type, sessionId });
      if (!answer.ok) throw new Error(`${answer.failure.message}\n${story.join("\n")}`);
      const [before, after] = [trees[from] ?? new Map(), trees[to] ?? new Map()];
      const expected = applied(before, { from: before, to: after }, []);
      expect({ story, tree: linesOf(readTree(site.root)) }).toEqual({ story, tree: linesOf(expected) });
    };
    for (let index = trees.length - 1; index > 0; index -= 1) await go("session.undo", index, index - 1);
    for (let index = 1; index < trees.length; index += 1) await go("session.redo", index - 1, index);
    await site.engine.close();
  });
});
