/** Finds a browser that can show one page as a window of its own. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

type Machine = {
  readonly platform: NodeJS.Platform;
  readonly environment: { readonly [name: string]: string | undefined };
};

const linuxNames = [
  ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  ...["microsoft-edge", "microsoft-edge-stable", "brave-browser"],
];
const macPrograms = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];
const windowsPrograms = [
  "Google\\Chrome\\Application\\chrome.exe",
  "Chromium\\Application\\chrome.exe",
  "Microsoft\\Edge\\Application\\msedge.exe",
];

/** `KEDGE_BROWSER` names another one. */
export function findAppBrowser({ platform, environment }: Machine): string | undefined {
  const named = environment["KEDGE_BROWSER"];
  if (named !== undefined && named !== "") return isProgram(named) ? named : undefined;
  return candidates(platform, environment).find(isProgram);
}

function candidates(platform: NodeJS.Platform, environment: Machine["environment"]): readonly string[] {
  if (platform === "darwin") return macPrograms;
  if (platform === "win32") {
    const roots = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((name) => environment[name] ?? []);
    return roots.flatMap((root) => windowsPrograms.map((program) => join(root, program)));
  }
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  return linuxNames.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Missing or not ours to run: the next one is looked at.
    return false;
  }
}
