/** Containers, clouds, services and version switchers with sub-commands. */
import type { OptionTable } from "./option-set.ts";
import type { ToolRow } from "./tool-row.ts";

const runs = "runs a command";
const config = "loads a configuration";
const writes = "writes a file";

const dockerRun: OptionTable = {
  plain:
    "-a/--attach: --add-host: --annotation: -c/--cpu-shares: --cidfile: --cpus: -d/--detach --detach-keys: --dns: --entrypoint: -e/--env: --expose: --gpus: --group-add: -h/--hostname: --health-cmd: --init -i/--interactive --ip: -l/--label: --link: --log-driver: --mac-address: -m/--memory: --name: --network: --net: --no-healthcheck -P/--publish-all -p/--publish: --platform: --pull: -q/--quiet --read-only --restart: --rm --runtime: --shm-size: --stop-signal: --stop-timeout: --sysctl: --tmpfs: -t/--tty --ulimit: -u/--user: --userns: --uts: -w/--workdir:",
  special: [
    ["-v/--volume:", "none", "gives the container a directory of this machine"],
    ["--mount:", "none", "gives the container a directory of this machine"],
    ["--volumes-from:", "none", "gives the container a directory of this machine"],
    ["--device:", "none", "gives the container a device"],
    ["--privileged", "none", "gives the container the whole machine"],
    ["--cap-add:", "none", "gives the container more rights"],
    ["--security-opt:", "none", "gives the container more rights"],
    ["--pid:", "none", "shares processes with this machine"],
    ["--ipc:", "none"],
    ["--cgroupns:", "none"],
    ["--env-file:", "read"],
  ],
  stopsAtOperand: true,
};
const dockerExec: OptionTable = {
  plain: "-d/--detach --detach-keys: -e/--env: -i/--interactive -t/--tty -u/--user: -w/--workdir: -T --index:",
  special: [
    ["--privileged", "none", "gives the command more rights"],
    ["--env-file:", "read"],
  ],
};
const docker: ToolRow = {
  options: {
    plain:
      "-a/--all -q/--quiet -f/--filter: --format: -n/--last/--tail: -l/--latest -s/--size --no-trunc --since: --until: -t/--timestamps --follow -d/--detach --services --no-stream",
  },
  globals: {
    plain: "-D/--debug -l/--log-level: --tls --tlsverify -v/--version",
    special: [
      ["-H/--host:", "none", "talks to another machine"],
      ["-c/--context:", "none"],
      ["--config:", "read", config],
      ["--tlscacert:", "read"],
      ["--tlscert:", "read"],
      ["--tlskey:", "read"],
    ],
  },
  groups:
    "container image volume network system compose builder buildx context manifest plugin secret service stack swarm node trust config",
  looks:
    "ps|images|logs|inspect|version|info|top|stats|port|diff|history|events|search|container ls|container list|container ps|container inspect|container logs|container top|container stats|image ls|image list|image inspect|image history|volume ls|volume inspect|network ls|network inspect|system df|system info|compose ps|compose logs|compose config|compose ls|compose images|compose top|compose version|context ls|context show|context inspect",
  outward:
    "push|image push|compose push|login|logout|manifest push|plugin push|trust *|stack deploy|buildx imagetools create",
  outwardWhy: "pushes to a registry",
  runs: {
    exec: { options: dockerExec, skips: 1 },
    "container exec": { options: dockerExec, skips: 1 },
    "compose exec": { options: dockerExec, skips: 1 },
    run: { options: dockerRun, skips: 1 },
    "container run": { options: dockerRun, skips: 1 },
    create: { options: dockerRun, skips: 1 },
    "compose run": { options: dockerRun, skips: 1 },
  },
};
const terraform: ToolRow = {
  globals: { oneDash: true, special: [["-chdir:", "directory"]], plain: "-version -help" },
  groups: "state workspace providers",
  looks: "version|validate|show|output|state list|state show|workspace list|workspace show|graph|providers|fmt -check",
  outward:
    "apply|destroy|import|taint|untaint|state rm|state mv|state push|state replace-provider|login|logout|force-unlock|workspace delete",
  outwardWhy: "changes infrastructure",
  suggestedWords: { state: 3, workspace: 3 },
};
const kubectlExec: OptionTable = { plain: "-c/--container: -i/--stdin -t/--tty -q/--quiet -f: --pod-running-timeout:" };

export const systemToolTable: Readonly<Record<string, ToolRow>> = {
  docker,
  podman: docker,
  nerdctl: docker,
  "docker-compose": {
    globals: {
      special: [
        ["-f/--file:", "read"],
        ["-p/--project-name:", "none"],
        ["--env-file:", "read"],
      ],
    },
    looks: "ps|logs|config|images|top|version",
    outward: "push",
    outwardWhy: "pushes to a registry",
    runs: { exec: { options: dockerExec, skips: 1 }, run: { options: dockerRun, skips: 1 } },
  },
  kubectl: {
    globals: {
      plain:
        "-n/--namespace: --context: --cluster: --user: --as: --as-group: -v: --request-timeout: -s/--server: -A/--all-namespaces",
      special: [
        ["--kubeconfig:", "read", "loads a configuration that can run a command"],
        ["--token:", "none"],
        ["--cache-dir:", "write"],
      ],
    },
    options: {
      plain:
        "-o/--output: -l/--selector: -A/--all-namespaces -w/--watch --field-selector: --show-labels --sort-by: --no-headers -c/--container: --tail: -f/--follow --since: -p/--previous --timestamps",
      special: [["--output-file:", "write", writes]],
    },
    groups: "rollout config auth set create top certificate",
    looks:
      "get|describe|logs|explain|version|api-resources|api-versions|cluster-info|top pod|top pods|top node|top nodes|rollout status|rollout history|config view|config get-contexts|config current-context|auth can-i|diff|events",
    outward:
      "apply|create *|delete|edit|patch|replace|scale|autoscale|set *|rollout restart|rollout undo|rollout pause|rollout resume|drain|cordon|uncordon|taint|label|annotate|expose|run|cp|certificate *|attach|port-forward|proxy",
    outwardWhy: "changes the cluster",
    runs: { exec: { options: kubectlExec, skips: 1 } },
  },
  oc: {
    globals: { plain: "-n/--namespace:" },
    looks: "get|describe|logs|status|whoami",
    outward: "apply|create *|delete|edit|patch|replace|scale|new-app|start-build",
    outwardWhy: "changes the cluster",
    runs: { exec: { options: kubectlExec, skips: 1 }, rsh: { skips: 1 } },
  },
  helm: {
    globals: {
      plain: "-n/--namespace: --kube-context: --debug",
      special: [
        ["--kubeconfig:", "read", config],
        ["--post-renderer:", "script", runs],
      ],
    },
    options: {
      special: [
        ["--post-renderer:", "script", runs],
        ["-f/--values:", "read"],
      ],
    },
    groups: "repo get show plugin dependency registry",
    looks: "list|ls|status|history|get *|show *|search *|template|lint|version|env|repo list",
    outward: "install|upgrade|uninstall|delete|rollback|push|registry login",
    outwardWhy: "changes the cluster",
    concerns: "plugin *",
  },
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  pulumi: {
    globals: { plain: "-s/--stack: -y --yes --non-interactive --color:", special: [["-C/--cwd:", "directory"]] },
    groups: "stack config state",
    looks: "preview|stack ls|stack output|config get|about|whoami|version|logs",
    outward: "up|update|destroy|import|refresh|cancel|state *|stack rm|stack init|login|logout",
    outwardWhy: "changes infrastructure",
  },
  ansible: { outward: "*", outwardWhy: "changes other machines" },
  "ansible-playbook": { outward: "*", outwardWhy: "changes other machines" },
  gh: {
    globals: { plain: "-R/--repo: --hostname:" },
    options: {
      plain:
        "-R/--repo: --json: -q/--jq: -t/--template: -L/--limit: -s/--state: -l/--label: -a/--assignee: -A/--author: -S/--search: -w/--web --comments -c",
      special: [["--body-file:", "read"]],
    },
    groups:
      "pr issue release repo workflow run gist auth secret variable label project cache codespace extension alias config ssh-key gpg-key api search ruleset org attestation",
    looks:
      "pr list|pr view|pr diff|pr status|pr checks|issue list|issue view|issue status|release list|release view|repo view|repo list|workflow list|workflow view|run list|run view|run watch|gist list|gist view|auth status|secret list|variable list|label list|project list|project view|cache list|search *|status|config get|config list|alias list|extension list|org list|ruleset list|ruleset view",
    outward:
      "pr create|pr comment|pr close|pr merge|pr edit|pr reopen|pr ready|pr review|pr lock|pr unlock|pr update-branch|issue create|issue comment|issue close|issue edit|issue reopen|issue delete|issue transfer|issue lock|issue pin|issue unpin|release create|release edit|release delete|release upload|release delete-asset|repo create|repo delete|repo edit|repo fork|repo archive|repo rename|repo sync|repo set-default|repo unarchive|workflow run|workflow enable|workflow disable|run cancel|run rerun|run delete|gist create|gist edit|gist delete|secret set|secret delete|variable set|variable delete|label create|label edit|label delete|project create|project edit|project delete|project item-add|cache delete|codespace *|ssh-key add|ssh-key delete|gpg-key add|auth login|auth logout|auth refresh|auth token",
    outwardWhy: "writes to the code host",
    concerns: "extension install|extension exec|extension upgrade|alias set|alias import|config set",
  },
  aws: {
    globals: {
      plain: "--region: --profile: --output: --query: --no-cli-pager --debug --no-paginate",
      special: [["--endpoint-url:", "none", "talks to another machine"]],
    },
    groups: "*",
    looks: "sts get-caller-identity|configure list|s3 ls",
    outward: "*",
    outwardWhy: "acts on the cloud",
  },
  gcloud: {
    globals: { plain: "--project: --account: --format: -q --quiet --verbosity:" },
    groups: "*",
    looks: "config list|auth list|info|version|projects list",
    outward: "*",
    outwardWhy: "acts on the cloud",
  },
  az: {
    globals: { plain: "-o/--output: --query: --subscription: --only-show-errors" },
    groups: "*",
    looks: "account show|account list|version",
    outward: "*",
    outwardWhy: "acts on the cloud",
  },
  gsutil: { looks: "ls|stat|du|cat", outward: "*", outwardWhy: "acts on the cloud" },
  flyctl: { looks: "status|logs|version", outward: "*", outwardWhy: "acts on the cloud" },
  fly: { looks: "status|logs|version", outward: "*", outwardWhy: "acts on the cloud" },
  heroku: { looks: "apps|logs|ps|config", outward: "*", outwardWhy: "acts on the cloud" },
  vercel: { looks: "ls|list|inspect|logs|whoami", outward: "*", outwardWhy: "acts on the cloud" },
  netlify: {
    looks: "status|sites:list",
    outward: "deploy|env:set|sites:create|sites:delete|login|link",
    outwardWhy: "acts on the cloud",
  },
  wrangler: {
    looks: "whoami|tail",
    outward: "deploy|publish|delete|secret *|kv *|login|r2 *|d1 *",
    outwardWhy: "acts on the cloud",
  },
  firebase: { looks: "projects:list", outward: "deploy|login|hosting:disable", outwardWhy: "acts on the cloud" },
  systemctl: {
    globals: {
      plain: "--user --system --no-pager -q -a --all -l --full -t: --type: --state: -p: --property: -n: --lines:",
      special: [
        ["-H/--host:", "none", "acts on another machine"],
        ["--root:", "none"],
      ],
    },
    looks:
      "status|show|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|is-active|is-enabled|is-failed|cat|help|get-default",
  },
  service: {},
  launchctl: { looks: "list|print *" },
  journalctl: { looks: "*" },
  brew: {
    looks: "list|ls|info|search|outdated|deps|config|doctor|--prefix|--version|leaves|uses|desc|home",
    concerns: "tap *|edit *",
  },
  apt: { looks: "list|show|search|policy", concerns: "" },
  "apt-get": {
    options: {
      special: [
        ["-o/--option:", "none", "sets a configuration that can run a command"],
        ["-c/--config-file:", "read", config],
      ],
    },
    looks: "check|changelog",
  },
  "apt-cache": { looks: "*" },
  dpkg: {
    options: {
      special: [
        ["--pre-invoke?", "script", runs],
        ["--post-invoke?", "script", runs],
        ["--root?", "none"],
        ["--admindir?", "none"],
      ],
    },
  },
  dnf: { looks: "list|info|search|repolist|provides" },
  yum: { looks: "list|info|search|repolist|provides" },
  pacman: {},
  snap: { looks: "list|info|find", runs: { run: {} } },
  flatpak: { looks: "list|info|search", runs: {} },
  nix: {
    looks: "search|flake show|flake metadata|show-config|path-info",
    groups: "flake store profile",
    options: {},
    concerns: "run *|shell *|develop *",
  },
  mise: { looks: "ls|list|current|which|doctor", runs: { exec: {}, x: {} } },
  asdf: { looks: "list|current|which|where", runs: { exec: {} } },
  rbenv: { looks: "versions|version|which", runs: { exec: {} } },
  pyenv: { looks: "versions|version|which", runs: { exec: {} } },
  direnv: {
    looks: "status|version",
    runs: { exec: { skips: 1 } },
    concerns: "allow *|permit *|grant *|edit *",
  },
  doppler: {
    runs: { run: { options: { plain: "-p: -c: --project: --config:", special: [["--command:", "script"]] } } },
  },
  "aws-vault": { runs: { exec: { options: { plain: "-d: -n --no-session -r:" }, skips: 1 } } },
  op: { looks: "whoami|vault list", runs: { run: { options: { special: [["--env-file:", "read"]] } } } },
  corepack: { runs: {} },
  volta: { runs: { run: {} } },
  nvm: { looks: "ls|list|current|version|which|ls-remote", runs: { exec: { skips: 1 }, run: { skips: 1 } } },
  perf: {
    looks: "list|version",
    runs: {
      stat: { options: { plain: "-e: -a -d -r: -v -x: -p: -I: -B", special: [["-o/--output:", "write", writes]] } },
      record: {
        options: { plain: "-e: -F: -g -a -p: -c: --call-graph:", special: [["-o/--output:", "write", writes]] },
      },
      trace: { options: { plain: "-e: -s -p:", special: [["-o/--output:", "write", writes]] } },
    },
  },
  tmux: {
    globals: {
      plain: "-2 -C -D -l -N -u -v -V -L: -T:",
      special: [
        ["-f:", "read", config],
        ["-S:", "none"],
        ["-c:", "script"],
      ],
    },
    looks: "ls|list-sessions|list-windows|list-panes|has-session|has|display-message|info|show-options|capture-pane",
    concerns:
      "send-keys *|send *|new *|new-session *|neww *|new-window *|split-window *|splitw *|respawn-pane *|respawnp *|respawn-window *|run-shell *|run *|if-shell *|if *|pipe-pane *|pipep *|source-file *|source *|bind-key *|bind *|set-hook *|popup *|display-popup *|attach *|a *",
  },
};
