/** Opens a page in the browser of the user, where there is one. */
import { spawn } from "node:child_process";

type Machine = {
  readonly platform: NodeJS.Platform;
  readonly environment: { readonly [name: string]: string | undefined };
};

/** False where no browser can be opened, such as over SSH: then the person is shown the address. */
export async function openBrowser(url: URL, { platform, environment }: Machine): Promise<boolean> {
  const command = commandFor(platform, environment);
  if (command === undefined) return false;
  const [file = "", ...words] = command;
  // An address of a server is no shell text, and none of these programs reads it as an option.
  const child = spawn(file, [...words, url.href], { stdio: "ignore", detached: true });
  child.unref();
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
  });
}

function commandFor(platform: NodeJS.Platform, environment: Machine["environment"]): readonly string[] | undefined {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  const isRemote = environment["SSH_CONNECTION"] !== undefined || environment["SSH_TTY"] !== undefined;
  const hasScreen = environment["DISPLAY"] !== undefined || environment["WAYLAND_DISPLAY"] !== undefined;
  return hasScreen && !isRemote ? ["xdg-open"] : undefined;
}
