/** Finds the ripgrep binary that came with the installed packages. */
import { createRequire } from "node:module";

/** The same place that `@vscode/ripgrep` computes, without loading it; throws if the package for this platform is missing. */
export function findRipgrep(): string {
  const binary = process.platform === "win32" ? "rg.exe" : "rg";
  return createRequire(import.meta.url).resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${binary}`);
}
