/** Which state files count as changed, and at whose door a change is laid. */
import { expect, test } from "vitest";
import { createGateWorld } from "../../test/gate-cases.ts";

const terraform = new Set(["terraform"]);
const state = "/w/terraform.tfstate";

test("a file changed by a call is laid at its door", async () => {
  const { machine, premise, setTime } = createGateWorld();
  machine.write(state, "old", 1);
  const call = await premise.before({ text: "tar -xf old.tgz", step: 12 });
  machine.write(state, "older", 1_000_500);
  setTime(1_001_000);
  await call.ended();
  expect(await premise.changes(terraform)).toEqual([
    { path: state, status: "modified", changedMs: 1_000_500, by: "tar -xf old.tgz (step 12)" },
  ]);
});

test("what the user changes between two calls is done outside kedge", async () => {
  const { machine, premise, setTime } = createGateWorld();
  machine.write(state, "old", 1);
  await (await premise.before({ text: "ls", step: 1 })).ended();
  machine.write(state, "mine", 1_005_000);
  setTime(1_010_000);
  await (await premise.before({ text: "make", step: 2 })).ended();
  expect(await premise.changes(terraform)).toEqual([
    { path: state, status: "modified", changedMs: 1_005_000, by: "outside kedge" },
  ]);
});

test("what the user deletes between two calls is not laid at the next one's door", async () => {
  const { machine, premise } = createGateWorld();
  machine.write(state, "old", 1);
  await (await premise.before({ text: "ls", step: 1 })).ended();
  machine.remove(state);
  await (await premise.before({ text: "make", step: 2 })).ended();
  expect((await premise.changes(terraform)).map(({ status, by }) => `${status} ${by}`)).toEqual([
    "deleted outside kedge",
  ]);
});

test("files that come and go count, each with the call that did it", async () => {
  const { machine, premise, setTime } = createGateWorld();
  machine.write(state, "old", 1);
  const removing = await premise.before({ text: "rm terraform.tfstate", step: 1 });
  machine.remove(state);
  await removing.ended();
  setTime(1_050_000);
  const making = await premise.before({ text: "cp a b", step: 2 });
  machine.write("/w/sub/prod.auto.tfvars", "new", 1_050_100);
  setTime(1_060_000);
  await making.ended();
  expect(await premise.changes(terraform)).toEqual([
    { path: state, status: "deleted", changedMs: 1_000_000, by: "rm terraform.tfstate (step 1)" },
    { path: "/w/sub/prod.auto.tfvars", status: "added", changedMs: 1_050_100, by: "cp a b (step 2)" },
  ]);
});

test("a file with the same content as before has not changed", async () => {
  const { machine, premise } = createGateWorld();
  machine.write(state, "same", 1);
  const call = await premise.before({ text: "touch terraform.tfstate", step: 1 });
  machine.write(state, "same", 1_000_100);
  await call.ended();
  expect(await premise.changes(terraform)).toEqual([]);
});

test("a change of mode does not take over an earlier change of content", async () => {
  const { machine, premise, setTime } = createGateWorld();
  machine.write(state, "old", 1);
  const unpacking = await premise.before({ text: "tar -xf old.tgz", step: 3 });
  machine.write(state, "older", 1_000_000);
  await unpacking.ended();
  setTime(1_100_000);
  const changing = await premise.before({ text: "chmod 600 terraform.tfstate", step: 4 });
  machine.touchMode(state, 1_100_000);
  await changing.ended();
  expect(await premise.changes(terraform)).toEqual([
    { path: state, status: "modified", changedMs: 1_000_000, by: "tar -xf old.tgz (step 3)" },
  ]);
});

test("calls side by side are both named", async () => {
  const { machine, premise, setTime } = createGateWorld();
  machine.write(state, "old", 1);
  const first = await premise.before({ text: "make a", step: 1 });
  const second = await premise.before({ text: "make b", step: 1 });
  machine.write(state, "newer", 1_000_100);
  setTime(1_000_200);
  await first.ended();
  await second.ended();
  expect((await premise.changes(terraform)).map(({ by }) => by)).toEqual(["make a (step 1) or make b (step 1)"]);
});

test("a job left running is still at work", async () => {
  const { machine, premise, setTime } = createGateWorld();
  machine.write(state, "old", 1);
  await (await premise.before({ text: "sync-states", step: 1 })).ended({ isStillAtWork: true });
  setTime(2_000_000);
  machine.write(state, "newer", 1_900_000);
  expect((await premise.changes(terraform)).map(({ by }) => by)).toEqual(["sync-states (step 1)"]);
});

test("nothing is looked at before the first call that may change something", async () => {
  const { machine, premise } = createGateWorld();
  machine.write(state, "old", 1);
  expect([await premise.changes(terraform), machine.looks(), premise.notedMs()]).toEqual([[], 0, undefined]);
});

test("where not all was listed, an old file is not taken for a new one, nor an unlisted one for a deleted", async () => {
  const { machine, premise } = createGateWorld();
  machine.setComplete(false);
  await (await premise.before({ text: "ls", step: 1 })).ended();
  machine.write("/w/late/terraform.tfstate", "was always there", 900_000);
  machine.write("/w/new/terraform.tfstate", "came now", 1_000_000);
  expect((await premise.changes(terraform)).map(({ path }) => path)).toEqual(["/w/new/terraform.tfstate"]);
});
