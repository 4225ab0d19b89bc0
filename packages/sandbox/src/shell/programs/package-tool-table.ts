/** Package managers and build tools with sub-commands. */
import type { OptionTable } from "./option-set.ts";
import type { ToolRow } from "./tool-row.ts";

const runs = "runs a command";
const loads = "loads other code";
const config = "loads a configuration";
const writes = "writes a file";

const npmGlobals: OptionTable = {
  plain:
    "-g/--global -s/--silent -q/--quiet -d -dd -ddd --verbose --loglevel: -w/--workspace: --workspaces -ws --include-workspace-root --if-present --ignore-scripts --no-audit --no-fund --json --long -l --parseable -p --dry-run --save -S --save-dev -D --save-exact -E --legacy-peer-deps --force -f --yes -y --omit: --include: --production --offline --prefer-offline --tag: --access: --otp: -h --help -v --version --depth: --all -a --color? --no-color --progress? --no-progress --package-lock-only --foreground-scripts -r/--recursive --filter: -F: --reporter: --frozen-lockfile --immutable --parallel --stream",
  special: [
    ["--prefix/-C/--dir/--cwd:", "directory"],
    ["--script-shell:", "script", runs],
    ["--node-options:", "none", loads],
    ["--userconfig:", "read", config],
    ["--globalconfig:", "read", config],
    ["--git:", "script", runs],
    ["--editor:", "script", runs],
    ["--shell:", "script", runs],
    ["--viewer:", "script", runs],
    ["--browser:", "script", runs],
    ["--init-module:", "read", loads],
    ["--onload-script:", "read", loads],
    ["--registry:", "none", "takes packages from another place"],
    ["--cache:", "none"],
    ["--use-yarnrc:", "read", config],
  ],
};
const packageRun: OptionTable = {
  plain: "-y/--yes --no -q/--quiet --no-install --ignore-existing -w/--workspace:",
  special: [
    ["-c/--call/--shell-mode:", "script"],
    ["-p/--package:", "none"],
    ["--node-options:", "none", loads],
    ["--prefix:", "none"],
  ],
};
const npmOutward =
  "publish|unpublish|deprecate|dist-tag add|dist-tag rm|owner add|owner rm|access *|token *|login|adduser|logout|star|unstar|team *|org *|hook *|profile *";

export const packageToolTable: Readonly<Record<string, ToolRow>> = {
  npm: {
    globals: npmGlobals,
    looks:
      "ls|list|ll|la|view|info|show|outdated|explain|why|root|bin|prefix|ping|help|version|config get|config list|config ls|search|query|doctor|fund|whoami|pkg get",
    groups: "config dist-tag owner access token pkg cache team org hook profile",
    outward: npmOutward,
    outwardWhy: "changes the package registry",
    concerns: "config set|config edit|config delete|config fix|set|c set",
    aliases: {
      i: "install",
      in: "install",
      ins: "install",
      add: "install",
      "run-script": "run",
      rum: "run",
      urn: "run",
      x: "exec",
      t: "test",
      tst: "test",
      c: "config",
      un: "uninstall",
      rm: "uninstall",
      remove: "uninstall",
      r: "uninstall",
      pub: "publish",
      publ: "publish",
      publi: "publish",
      publis: "publish",
      v: "view",
      "dist-tags": "dist-tag",
    },
    runs: { exec: { options: packageRun } },
    suggestedWords: { run: 3 },
  },
  pnpm: {
    globals: npmGlobals,
    groups: "config dist-tag owner access token store",
    looks: "ls|list|ll|why|outdated|root|bin|licenses list|config get|config list|view|info",
    outward: npmOutward,
    outwardWhy: "changes the package registry",
    concerns: "config set|config delete|set",
    aliases: { i: "install", "run-script": "run" },
    runs: { exec: { options: packageRun }, dlx: { options: packageRun } },
    suggestedWords: { run: 3 },
  },
  yarn: {
    globals: npmGlobals,
    groups: "config npm workspace workspaces cache global",
    looks: "list|why|info|outdated|config get|config list|npm info|npm whoami|versions|licenses list",
    outward: "publish|npm publish|npm login|npm logout|npm tag *|login|logout|owner *|tag *|team *",
    outwardWhy: "changes the package registry",
    concerns: "config set|config delete|config unset|set *",
    runs: { dlx: { options: packageRun }, exec: { options: packageRun } },
    suggestedWords: { run: 3, workspace: 4 },
  },
  bun: {
    globals: {
      plain:
        "--silent --bun -b --hot --watch --smol --no-install -v --version --revision -h --help --port: --define: -d:",
      special: [
        ["--cwd:", "directory"],
        ["-r/--preload/--require/--import:", "read", loads],
        ["-e/--eval:", "none", "runs code given as text"],
        ["-p/--print:", "none", "runs code given as text"],
        ["--env-file:", "read"],
        ["-c?/--config?", "read", config],
        ["--inspect?", "none", "opens a debugger to the network"],
      ],
    },
    groups: "pm",
    looks: "pm ls|pm bin|pm hash|outdated|why|info",
    outward: "publish",
    outwardWhy: "changes the package registry",
    runs: { x: { options: packageRun } },
    suggestedWords: { run: 3 },
  },
  deno: {
    globals: { plain: "-q --quiet --unstable -L: -V --version", special: [] },
    options: {
      special: [
        ["-A/--allow-all", "none", "gives the script every right"],
        ["--allow-run?", "none", runs],
        ["--allow-ffi?", "none", loads],
        ["--allow-write?", "none"],
        ["--preload:", "read", loads],
        ["--import-map:", "read", loads],
        ["-c/--config:", "read", config],
        ["-o/--output:", "write", writes],
      ],
      stopsAtOperand: true,
    },
    looks: "info|lint|types|doc|fmt --check",
    outward: "publish|deploy",
    concerns: "eval|repl|upgrade",
    suggestedWords: { task: 3, run: 0, eval: 0 },
  },
  pip: {
    globals: {
      plain:
        "-q --quiet -v --verbose --no-input --isolated --require-virtualenv --no-cache-dir --disable-pip-version-check",
      special: [
        ["--python:", "script", runs],
        ["--log:", "write", writes],
        ["--proxy:", "none"],
      ],
    },
    options: {
      special: [
        ["-r/--requirement:", "read"],
        ["-c/--constraint:", "read"],
        ["-t/--target:", "write", writes],
        ["--prefix:", "write", writes],
        ["--root:", "write", writes],
        ["-i/--index-url:", "none", "takes packages from another place"],
        ["--extra-index-url:", "none", "takes packages from another place"],
        ["-f/--find-links:", "none", "takes packages from another place"],
        ["-d/--dest:", "write"],
        ["-w/--wheel-dir:", "write"],
      ],
    },
    groups: "config cache index",
    looks: "list|show|freeze|check|config list|config get|index versions|inspect|help|debug",
    concerns: "config set|config edit|config unset",
  },
  uv: {
    groups: "pip tool python cache",
    looks: "pip list|pip show|pip freeze|pip check|pip tree|tree|tool list|python list|version|cache dir",
    outward: "publish",
    runs: {
      run: {
        options: {
          plain:
            "--no-sync --frozen --locked -q -v --no-project --isolated --all-extras --extra: --group: --python: -p: --with: --package: --active",
          special: [
            ["--env-file:", "read"],
            ["--with-requirements:", "read"],
            ["--directory:", "directory"],
            ["--project:", "directory"],
            ["-m/--module", "none"],
            ["-s/--script", "none"],
          ],
        },
      },
      "tool run": { options: { plain: "--from: --with: --python: -p: -q --isolated" } },
    },
    suggestedWords: { pip: 3, tool: 3 },
  },
  pipx: {
    looks: "list|environment|--version",
    runs: {
      run: {
        options: {
          plain: "--spec: --python: --no-cache -q --verbose",
          special: [["--index-url/-i:", "none", "takes packages from another place"]],
        },
      },
    },
  },
  poetry: {
    groups: "config env cache self",
    looks: "show|check|version|env info|env list|config --list",
    outward: "publish",
    concerns: "config *|self *",
    runs: { run: {} },
  },
  pdm: { looks: "list|info|show", outward: "publish", runs: { run: {} } },
  hatch: { looks: "version|env show", outward: "publish", runs: { run: {} } },
  rye: { outward: "publish", runs: { run: {} } },
  pipenv: { looks: "graph|check|--venv", runs: { run: {} } },
  conda: {
    groups: "env config",
    looks: "list|info|search|env list|config --show",
    runs: {
      run: {
        options: {
          plain: "-n/--name: -p/--prefix: --no-capture-output --live-stream -v",
          special: [["--cwd:", "directory"]],
        },
      },
    },
  },
  twine: { looks: "check", outward: "upload|register", outwardWhy: "changes the package registry" },
  gem: {
    looks: "list|info|search|which|environment|contents|dependency|outdated",
    outward: "push|yank|owner|signin",
    outwardWhy: "changes the package registry",
    runs: { exec: { options: { plain: "-v: -g:" } } },
  },
  bundle: {
    groups: "config",
    looks: "list|show|outdated|info|check|config list|config get",
    concerns: "config set|config unset",
    runs: { exec: { options: { plain: "--keep-file-descriptors --gemfile:" } } },
  },
  cargo: {
    globals: {
      plain: "-v --verbose -q --quiet --color: --frozen --locked --offline -V --version --list --explain:",
      special: [
        ["--config:", "none", "sets a configuration that can run a command"],
        ["-C:", "directory"],
        ["-Z:", "none"],
      ],
    },
    options: {
      plain:
        "-p/--package: --workspace --all -v -q --release -r --all-targets --all-features -F/--features: --no-default-features --lib --bin: --bins --example: --examples --test: --tests --bench: --benches -j/--jobs: --target: --profile: --message-format: --no-run --no-fail-fast --doc --keep-going --locked --offline --frozen --color: -e/--edges: -i/--invert: --depth: --no-dedupe -d/--duplicates",
      special: [
        ["--config:", "none", "sets a configuration that can run a command"],
        ["--manifest-path:", "read"],
        ["--target-dir:", "write"],
        ["--out-dir/--artifact-dir:", "write", writes],
        ["--registry:", "none"],
        ["--index:", "none"],
        ["--root:", "write", writes],
        ["--path:", "read"],
      ],
    },
    looks: "tree|metadata|version|search|locate-project|pkgid|verify-project|read-manifest|help|info",
    outward: "publish|yank|owner|login|logout",
    outwardWhy: "changes the package registry",
    aliases: { t: "test", b: "build", c: "check", r: "run", d: "doc" },
  },
  go: {
    globals: { oneDash: true, special: [["-C:", "directory"]] },
    options: {
      oneDash: true,
      plain:
        "-v -x -n -a -race -run: -count: -timeout: -bench: -benchmem -benchtime: -cover -covermode: -coverpkg: -short -failfast -parallel: -p: -tags: -json -list: -cpu: -mod: -work -m -u -t -e -f: -deps -test -shuffle: -skip: -vet: -buildvcs: -trimpath -gcflags: -asmflags:",
      special: [
        ["-exec:", "script", runs],
        ["-toolexec:", "script", runs],
        ["-o:", "write", writes],
        ["-coverprofile:", "write"],
        ["-cpuprofile:", "write", writes],
        ["-memprofile:", "write", writes],
        ["-blockprofile:", "write", writes],
        ["-mutexprofile:", "write", writes],
        ["-trace:", "write", writes],
        ["-outputdir:", "write", writes],
        ["-modfile:", "write"],
        ["-overlay:", "read", loads],
        ["-ldflags:", "none"],
        ["-vettool:", "script", runs],
        ["-w", "change"],
        ["-pkgdir:", "none"],
      ],
    },
    groups: "mod work tool",
    looks: "version|list|doc|env|help|mod graph|mod why|mod verify|vet",
    suggestedWords: { mod: 3, run: 0, tool: 0, generate: 0 },
  },
  mvn: {
    options: {
      plain: "-q -B -U -o -e -X -N -T: -pl: -am -P: -DskipTests",
      special: [
        ["-f/--file:", "read"],
        ["-s/--settings:", "read", config],
        ["-gs:", "read", config],
        ["-D?", "none"],
      ],
    },
    outward: "deploy|release:perform",
    outwardWhy: "publishes a package",
  },
  gradle: {
    options: {
      plain:
        "-q -i -d --info --debug --stacktrace --offline --no-daemon --daemon --parallel -x: --continue --rerun-tasks -P: --build-cache --console:",
      special: [
        ["-I/--init-script:", "read", loads],
        ["-b/--build-file:", "read", loads],
        ["-p/--project-dir:", "directory"],
        ["-g/--gradle-user-home:", "write"],
        ["-c/--settings-file:", "read", loads],
        ["--include-build:", "read", loads],
      ],
    },
    outward: "publish",
    outwardWhy: "publishes a package",
  },
  gradlew: {
    options: {
      plain: "-q -i --info --offline --no-daemon -x: --continue -P:",
      special: [
        ["-I/--init-script:", "read", loads],
        ["-b/--build-file:", "read", loads],
        ["-p/--project-dir:", "directory"],
      ],
    },
    outward: "publish",
    outwardWhy: "publishes a package",
  },
  dotnet: {
    looks: "--version|--info|--list-sdks|list *",
    outward: "nuget push|nuget delete",
    outwardWhy: "changes the package registry",
    groups: "nuget tool",
    runs: { exec: {} },
  },
  composer: {
    looks: "show|info|outdated|validate|licenses|depends|why|diagnose",
    concerns: "config *|global *",
    runs: { exec: { options: { plain: "-l --list" } } },
  },
  mix: { groups: "", outward: "hex.publish", outwardWhy: "changes the package registry" },
  rustup: {
    looks: "show|toolchain list|target list|component list|which|check",
    groups: "toolchain target component",
    runs: { run: { options: { plain: "--install" }, skips: 1 } },
  },
};
