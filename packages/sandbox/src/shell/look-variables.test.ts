/** Which variables of the user reach a command that only looks. */
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { lookVariables } from "./look-variables.ts";

const isInside = (path: string) => path === "/work/project" || path.startsWith("/work/project/");
const kept = (environment: Record<string, string>) => lookVariables(environment, { isInside });

test.each([
  ["relative entries", ".:/usr/bin:node_modules/.bin:/bin", "/usr/bin:/bin"],
  ["empty entries", ":/usr/bin::/bin:", "/usr/bin:/bin"],
  ["directories of the project", "/work/project/bin:/opt/my tools:/usr/bin", "/opt/my tools:/usr/bin"],
  ["nothing but these", "/work/project/bin:.", "/usr/local/bin:/usr/bin:/bin"],
])("PATH without %s", (_, given, left) => {
  expect(kept({ PATH: given })).toEqual({ PATH: left });
});

test("what the user chose for themselves stays", () => {
  const own = {
    HOME: "/work/project",
    TERM: "xterm",
    LANG: "C",
    EDITOR_THEME: "dark",
    RIPGREP_CONFIG_PATH: "/home/u/.ripgreprc",
    XDG_CONFIG_HOME: "/home/u/.config",
    AWS_PROFILE: "dev",
    HTTPS_PROXY: "http://proxy:3128",
    DOCKER_HOST: "unix:///run/docker.sock",
    SSH_AUTH_SOCK: "/run/user/1/agent",
    GIT_AUTHOR_NAME: "Ada Lovelace",
    GIT_CONFIG_GLOBAL: "/home/u/.gitconfig",
    KEDGE_OWNER: "x",
  };
  expect(kept(own)).toEqual(own);
});

test.each([
  ["BASH_ENV", "/home/u/x.sh"],
  ["ENV", "./x"],
  ["BASH_FUNC_ls%%", "() { ./x; }"],
  ["GIT_EXTERNAL_DIFF", "/usr/bin/x"],
  ["GIT_TRACE", "/tmp/x"],
  ["GIT_TRACE2_EVENT", "/tmp/x"],
  ["GIT_CONFIG_PARAMETERS", "'diff.external'='./x'"],
  ["GIT_CONFIG_GLOBAL", "x"],
  ["GIT_PAGER", "x"],
  ["GIT_DIR", "/work/project/x"],
  ["LESSOPEN", "|./x %s"],
  ["RIPGREP_CONFIG_PATH", ".ripgreprc"],
  ["RIPGREP_CONFIG_PATH", "rc"],
  ["RIPGREP_CONFIG_PATH", "/work/project/rc"],
  ["XDG_CONFIG_HOME", "/work/project/g"],
  ["AWS_CONFIG_FILE", "config"],
  ["LD_PRELOAD", "./x.so"],
  ["LD_PRELOAD", "/usr/lib/a.so ./x.so"],
  ["NODE_OPTIONS", "--require=./x.js"],
  ["PYTHONSTARTUP", "x.py"],
  ["JAVA_TOOL_OPTIONS", "-javaagent:/home/u/x.jar"],
])("%s=%s does not", (name, value) => {
  expect(kept({ [name]: value })).toEqual({});
});

test("no risky variable names a file of the project, whatever else it names", () => {
  const random = createSeededRandom();
  const names = ["PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "MANPATH", "XDG_CONFIG_DIRS", "NODE_PATH", "MAGIC"];
  const places = ["", ".", "..", "bin", "./x", "/work/project", "/work/project/bin", "/usr/bin", "/opt/x", "~/x"];
  for (let round = 0; round < 500; round++) {
    const [name = ""] = random.shuffle(names);
    const value = random
      .shuffle([...places, ...places])
      .slice(0, 1 + random.below(6))
      .join(":");
    const left = kept({ [name]: value })[name]?.split(":") ?? [];
    expect(
      left.filter((place) => !place.startsWith("/") || isInside(place)),
      `${name}=${value}`,
    ).toEqual([]);
  }
});
