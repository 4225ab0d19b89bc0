/** Programs that look, with options and operands that make them act: written long, shortened, clustered, quoted, in any place. */
import { type CaseClass, type Draw, type DrawnCase, fillPart, partsIn } from "./draw.ts";

type ActingRow = {
  /** Program and sub-command. */
  readonly program: string;
  readonly options: readonly string[];
  /** What else the look has. */
  readonly rest?: string;
};

const rows = partsIn<ActingRow>("acting-options.jsonl");

/** What these change is the machine itself, so nobody tries them: they are only judged. */
const ofTheMachine = new Set(
  "apt apt-get chattr date dmesg docker domainname dpkg hostname ip journalctl kubectl loginctl mount setterm ss stty sysctl systemctl telnet timedatectl update-alternatives".split(
    " ",
  ),
);

export const actingOptions: CaseClass = {
  name: "acting-options",
  make: (draw) =>
    commandOf(
      draw,
      rows.filter(({ program }) => !ofTheMachine.has(program)),
    ),
};

export const machineOptions: CaseClass = {
  name: "machine-options",
  make: (draw) =>
    commandOf(
      draw,
      rows.filter(({ program }) => ofTheMachine.has(program)),
    ),
};

function commandOf(draw: Draw, from: readonly ActingRow[]): DrawnCase {
  const { program, options, rest = "" } = draw.of(from);
  const name = draw.of([program, program.split(" ").map(draw.quoted).join(" ")]);
  const around = draw.of(["@@", "@@", "cd . && @@", "@@ | head", "ls; @@"]);
  return { command: fillPart(around, `${name} ${draw.of(options)} ${rest}`.trim()) };
}
