/** Chooses the one address on which other machines reach the server: in the local network, or in the user's tailnet. */
import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { NetworkInterfaceInfo } from "node:os";
import { FailureError } from "@kedge/protocol";

export type Interfaces = { readonly [name: string]: readonly NetworkInterfaceInfo[] | undefined };

export type AddressParts = {
  readonly interfaces: Interfaces;
  /** What the person named with `--hostname`. */
  readonly wanted?: string;
};

export type ChosenAddress = {
  readonly address: string;
  /** Further ones that could be chosen. */
  readonly others: readonly string[];
};

type Named = { readonly name: string; readonly address: string };

/** Bridges of containers and virtual machines, and tunnels: nobody's phone is there. */
const virtualName = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|podman|utun|tun|tap|wg|tailscale|zt)/i;
const tailnetName = /^(?:tailscale|ts\d|utun)/i;

/** Throws a FailureError where there is none. `routed` is the one that leads out of this machine, if any. */
export function chooseLanAddress({ interfaces, wanted }: AddressParts, routed: string | undefined): ChosenAddress {
  const all = addressesOf(interfaces).filter(({ address }) => isPrivate(address));
  if (wanted !== undefined) return chooseWanted(all, wanted, "a private IPv4 address of this machine");
  const real = all.filter(({ name }) => !virtualName.test(name));
  const chosen = real.find(({ address }) => address === routed) ?? real[0];
  if (chosen === undefined) {
    const message = "This machine has no address in a local network.";
    const recovery =
      all.length === 0
        ? "Connect it to one. For a public address, use --hostname with --tls-cert and --tls-key."
        : `Connect it to one, or choose one of ${all.map(({ address }) => address).join(", ")} with --hostname.`;
    throw failure(message, recovery);
  }
  return { address: chosen.address, others: othersThan(chosen, real) };
}

/** `told` is what the program `tailscale` says, if there is one. */
export function chooseTailnetAddress({ interfaces, wanted }: AddressParts, told: string | undefined): ChosenAddress {
  const all = addressesOf(interfaces).filter(({ address }) => isInTailnet(address));
  // Providers of mobile networks use the same addresses, so the name of the interface has to say what it is.
  const real = all.filter(({ name, address }) => address === told || tailnetName.test(name));
  if (wanted !== undefined) return chooseWanted(real, wanted, "a Tailscale address of this machine");
  const chosen = real.find(({ address }) => address === told) ?? real[0];
  if (chosen === undefined) {
    throw failure("This machine has no Tailscale address.", "Start Tailscale (tailscale up), or use --lan.");
  }
  return { address: chosen.address, others: othersThan(chosen, real) };
}

function chooseWanted(all: readonly Named[], wanted: string, what: string): ChosenAddress {
  if (all.some(({ address }) => address === wanted)) return { address: wanted, others: [] };
  const known = all.length === 0 ? "There is none." : `Choose ${all.map(({ address }) => address).join(" or ")}.`;
  throw failure(`${wanted} is not ${what}.`, known);
}

/** The address that packets to elsewhere would leave from. Asking for it sends none. */
export async function findRoutedAddress(): Promise<string | undefined> {
  const socket = createSocket("udp4");
  try {
    // An address for documentation, which leads nowhere.
    socket.connect(9, "192.0.2.1");
    await once(socket, "connect");
    return socket.address().address;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  } finally {
    socket.close();
  }
}

const programMsMax = 3_000;

/** Undefined where the program is missing, or says nothing in time. */
export function askTailscale(environment: {
  readonly [name: string]: string | undefined;
}): Promise<string | undefined> {
  const env = { PATH: environment["PATH"] ?? "" };
  return new Promise((resolve) => {
    execFile("tailscale", ["ip", "-4"], { env, timeout: programMsMax, maxBuffer: 4096 }, (error, stdout) => {
      const [first = ""] = stdout.split("\n");
      resolve(error === null && isInTailnet(first.trim()) ? first.trim() : undefined);
    });
  });
}

function addressesOf(interfaces: Interfaces): readonly Named[] {
  return Object.entries(interfaces).flatMap(([name, list = []]) =>
    list.filter(({ family, internal }) => family === "IPv4" && !internal).map(({ address }) => ({ name, address })),
  );
}

function othersThan(chosen: Named, all: readonly Named[]): readonly string[] {
  return all.filter((each) => each !== chosen).map(({ address }) => address);
}

function isPrivate(address: string): boolean {
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address);
}

function isInTailnet(address: string): boolean {
  const [, second = ""] = /^100\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(address) ?? [];
  return second !== "" && Number(second) >= 64 && Number(second) < 128;
}

function failure(message: string, recovery: string): FailureError {
  return new FailureError({ code: "configuration", message, recovery, retryable: false });
}
