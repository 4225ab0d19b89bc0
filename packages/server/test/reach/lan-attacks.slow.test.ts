/** The attacks on a server again, from another machine, on the address that devices reach. */
import { type OtherMachine, openOtherMachine, whyNoOtherMachine } from "@kedge/testing";
import { afterAll, describe } from "vitest";
import { attackCases } from "../http/attack-cases.ts";
import { scriptedAnswers } from "../http/scripted-answers.ts";
import { openReachSite } from "./reach-site.ts";

const why = whyNoOtherMachine();
let machine: OtherMachine | undefined;

afterAll(async () => {
  await machine?.close();
});

describe.skipIf(why !== undefined)(
  `from another network namespace${why === undefined ? "" : ` (skipped: ${why})`}`,
  () => {
    attackCases(async (serve = {}) => {
      machine ??= await openOtherMachine();
      const { hostAddress: address, connect: dial } = machine;
      const site = await openReachSite({ script: scriptedAnswers, serve, address, dial });
      const { secret: token } = site.deviceOf("admin");
      return {
        ...site,
        ...{ token, url: site.server.reach?.url ?? "", connect: site.connectReach },
        tokenOf: (scope) => site.deviceOf(scope).secret,
        call: (method, path, given = {}) => site.callReach(method, path, { token, ...given }),
      };
    });
  },
);
