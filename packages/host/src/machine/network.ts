/** The way to a vendor: which proxy a request goes through, and which authorities besides the system's are trusted. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Network } from "@kedge/models";
import { type Failure, FailureError, reasonOf } from "@kedge/protocol";
import { readClientCertificate } from "./client-certificate.ts";

export type NetworkSettings = {
  readonly proxy?: string;
  readonly caFile?: string;
  readonly identify?: boolean;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly clientKeyPassphrase?: string;
};

/** Reads the files of certificates where there are any; throws a failure when they cannot be used. */
export function openNetwork(
  settings: NetworkSettings,
  { environment, userDirectory }: { readonly environment: Environment; readonly userDirectory: string },
): Network {
  const { proxy, caFile } = settings;
  const client = readClientCertificate(settings, (file) => textOf(file, userDirectory));
  return {
    proxyFor: createProxyChoice(proxy, environment),
    ...(caFile !== undefined && { ca: readAuthorities(caFile, userDirectory) }),
    ...(client !== undefined && { client }),
  };
}

type Environment = { readonly [name: string]: string | undefined };

/** The setting wins over the usual variables; what runs on this machine is always reached directly. */
export function createProxyChoice(
  setting: string | undefined,
  environment: Environment,
): (url: URL) => string | undefined {
  const variable = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const direct = (variable("NO_PROXY") ?? "").split(/[\s,]+/).filter((entry) => entry !== "");
  return (url) => {
    if (isLoopback(url.hostname) || direct.some((entry) => covers(entry, url))) return undefined;
    const ofScheme = variable(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
    const proxy = setting ?? ofScheme ?? variable("ALL_PROXY");
    if (proxy === undefined || /^https?:\/\//.test(proxy)) return proxy;
    // The variables are often written without a scheme; other schemes are other protocols.
    if (!proxy.includes("://")) return `http://${proxy}`;
    throw new FailureError(unusableProxy(proxy));
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** `*`, a host, a domain with or without a leading dot, each with or without a port. */
function covers(entry: string, url: URL): boolean {
  if (entry === "*") return true;
  const [, name = "", port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  const usualPort = url.protocol === "https:" ? "443" : "80";
  if (port !== undefined && port !== (url.port || usualPort)) return false;
  return name !== "" && (url.hostname === name || url.hostname.endsWith(`.${name}`));
}

function readAuthorities(file: string, userDirectory: string): string {
  try {
    return textOf(file, userDirectory);
  } catch (error) {
    throw new FailureError(
      {
        code: "configuration",
        message: `Cannot read the certificate file ${file} (${reasonOf(error)}).`,
        recovery: 'Fix "network.caFile" in your settings.',
        retryable: false,
      },
      error,
    );
  }
}

function textOf(file: string, userDirectory: string): string {
  return readFileSync(file.startsWith("~/") ? resolve(userDirectory, file.slice(2)) : file, "utf8");
}

function unusableProxy(proxy: string): Failure {
  const scheme = proxy.slice(0, proxy.indexOf(":"));
  return {
    code: "configuration",
    message: `Proxies of type ${scheme} are not supported.`,
    recovery: "Use an http or https proxy.",
    retryable: false,
  };
}
