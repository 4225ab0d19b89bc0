/** Everything that a server needs to be reached by others: an address, a certificate for it, and a way to send notices. */
import { hostname, networkInterfaces } from "node:os";
import type { Scope } from "@kedge/protocol";
import type { HostAccess, ReachOptions } from "@kedge/server";
import { createPushSender } from "./push-sender.ts";
import { askTailscale, chooseLanAddress, chooseTailnetAddress, findRoutedAddress } from "./reach-address.ts";
import { openReachCertificate } from "./reach-certificate.ts";

export type ReachWanted = {
  readonly way: "lan" | "tailnet";
  readonly hostname?: string;
  readonly scope: Scope;
  readonly pushServices: readonly string[];
  readonly onNotice: (sentence: string) => void;
};

/** Throws a FailureError that says what is missing. */
export async function prepareReach(
  access: HostAccess,
  wanted: ReachWanted,
): Promise<ReachOptions & { readonly others: readonly string[] }> {
  const { address, others } = await chooseAddress(access, wanted);
  const certificate = openReachCertificate({ ...access, address, machine: hostname() });
  const push = await createPushSender({ ...access, services: wanted.pushServices, onNotice: wanted.onNotice });
  return { ...certificate, hostname: address, others, scope: wanted.scope, push };
}

async function chooseAddress({ environment }: HostAccess, { way, hostname: name }: ReachWanted) {
  const parts = { interfaces: networkInterfaces(), ...(name !== undefined && { wanted: name }) };
  return way === "lan"
    ? chooseLanAddress(parts, await findRoutedAddress())
    : chooseTailnetAddress(parts, await askTailscale(environment));
}
