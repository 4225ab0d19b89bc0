/** Tells whether this machine is a container, where root is less dangerous than on a host. */
import { existsSync } from "node:fs";

/** Files that container engines put into every container they start. */
const marks: readonly string[] = ["/.dockerenv", "/run/.containerenv"];

export function isContainer(environment: { readonly [name: string]: string | undefined }): boolean {
  return marks.some((mark) => existsSync(mark)) || environment["KUBERNETES_SERVICE_HOST"] !== undefined;
}
