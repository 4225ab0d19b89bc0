/** The real program killed at random moments at each of its doors: within seconds no process that it started is left. */
import { rounds } from "@kedge/testing";
import { beforeEach, expect, test } from "vitest";
import {
  type AtWork,
  expectNothingLeft,
  killIfThere,
  openSite,
  random,
  type Site,
  startConsole,
  startHeadless,
  startServer,
} from "./doors.ts";

beforeEach(({ task }) => random.restart(task.name));
const kills = rounds({ usual: 9, long: 60 });
const lanes = 3;
const timeout = rounds({ usual: 120_000, long: 1_800_000 });

const doors: readonly ((site: Site) => AtWork | Promise<AtWork>)[] = [startHeadless, startConsole, startServer];

test(`nothing survives ${kills} kills`, { timeout }, async () => {
  let working = 0;
  const runLane = async (lane: number) => {
    for (let kill = lane; kill < kills; kill += lanes) {
      const site = await openSite();
      const atWork = await doors[kill % doors.length]?.(site);
      if (atWork === undefined) throw new Error("there is such a door");
      const { pid, over, busy } = atWork;
      // Half of them in the midst of the last command, the others on the way there.
      const waited = Promise.race([busy, over]);
      const isWorking = random.below(2) === 0;
      await (isWorking ? waited : Promise.race([waited, moment(random.next() * 1_500)]));
      if (isWorking) working += 1;
      killIfThere(pid);
      const { printed, ...ending } = await over;
      expect(ending, printed).toEqual({ code: null, signal: "SIGKILL" });
      await expectNothingLeft(site, { isRecorded: false });
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
  console.log(`${working} of ${kills} kills in the midst of the last command`);
});

function moment(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
