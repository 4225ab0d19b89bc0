/** Places in which bash evaluates data as arithmetic, as a name or as a prompt: a value that carries a command runs it. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash expands these
import { type CaseClass, fillPart, partsIn, quote } from "./draw.ts";

const payloads = [
  "$(./trap.sh)",
  "a[$(./trap.sh)]",
  "a[`./trap.sh`]",
  "x[$(bash trap.sh)0]",
  "a[b[$(./trap.sh)]]",
  "_[$(./trap.sh >&2)]+1",
];

/** Each evaluates `n`. */
const places = partsIn<string>("evaluating-places.jsonl");

/** How the data gets into `n`. */
const sources: readonly { readonly before: string; readonly prepare?: string }[] = [
  { before: "n=@@" },
  { before: "printf -v n %s @@" },
  { before: "m2=@@; n=$m2" },
  { before: "n=$(cat zz.txt)", prepare: "printf '%s\\n' @@ > zz.txt" },
  { before: "n=$(<zz.txt)", prepare: "printf '%s\\n' @@ > zz.txt" },
  { before: "read -r n < zz.txt", prepare: "printf '%s\\n' @@ > zz.txt" },
  { before: "n=$(head -1 zz.txt | tr -d '\\n')", prepare: "printf '%s\\n' @@ > zz.txt" },
  { before: "mapfile -t q < zz.txt; n=${q[0]}", prepare: "printf '%s\\n' @@ > zz.txt" },
  { before: "while IFS= read -r n; do break; done < zz.txt", prepare: "printf '%s\\n' @@ > zz.txt" },
  {
    before: "for n in zz/*/*; do n=${n#zz/}; done",
    prepare: 'mkdir -p zz; d=zz/@@; mkdir -p "$(dirname "$d")"; : > "$d"',
  },
  { before: "n=$(jq -r .n zz.json)", prepare: "jq -n --arg n @@ '{n: $n}' > zz.json" },
  {
    before: "n=$(git log -1 --format=%s)",
    prepare: "git -c user.name=x -c user.email=x@example.com commit -q --allow-empty -m @@",
  },
];

export const evaluatedData: CaseClass = {
  name: "evaluated-data",
  make(draw) {
    const payload = quote(draw.of(payloads));
    const { before, prepare } = draw.of(sources);
    const around = draw.of(["B; P", "B\nP", "B && P", "{ B; P\n}", "if true; then B; P\nfi"]);
    const place = draw.of(places);
    const command = around.replace("B", () => fillPart(before, payload)).replace("P", () => place);
    return prepare === undefined ? { command } : { command, prepare: fillPart(prepare, payload) };
  },
};
