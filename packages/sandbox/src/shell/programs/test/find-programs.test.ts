/** What find and fd run, write and remove. */
import { expect, test } from "vitest";
import { summarise } from "./summarise.ts";

const cases: readonly (readonly [command: string, known: string])[] = [
  ["find . -name '*.ts'", "read(.) looks"],
  ["find . -newer a -print0", "read(.) looks"],
  ["find . -exec rm {} \\;", "starts(rm {}) read(.) guard"],
  ["find . -exec rm {} +", "starts(rm {}) read(.) guard"],
  ["find . -exec grep x {} +", "starts(grep x {}) read(.)"],
  ["find . -execdir rm {} \\;", "starts(rm {}) read(.) guard"],
  ["find . -ok rm {} \\;", "starts(rm {}) read(.) guard"],
  ["find . -delete", "risk(-delete) read(.) write(.) guard"],
  ["find build -delete", "risk(-delete) read(build) write(build)"],
  ["find . -name '*.pyc' -delete", "risk(-delete) read(.) write(.)"],
  ["find . -fprintf /home/dev/.bashrc x", "risk(-fprintf) read(.) write(/home/dev/.bashrc)"],
  ["find . -fprint out", "risk(-fprint) read(.) write(out)"],
  ["find . -fls out", "risk(-fls) read(.) write(out)"],
  ["find / -name x", "read(/) looks"],
  ["find . -type f -exec grep x {} \\; -exec rm {} \\;", "starts(grep x {}) starts(rm {}) read(.) guard"],
  ["find . -exec sh -c 'rm {}' \\;", "starts(sh -c rm {}) hidden read(.)"],
  ["find . -exec sh -c 'rm \"$1\"' _ {} \\;", 'starts(sh -c rm "$1" _ {}) read(.)'],
  ["find . $X", "read(.) read($X) concern"],
  ['find "$X" -name a', "read($X) concern"],
  ["find -L src -maxdepth 2 \\( -name a -o -name b \\) -print", "read(src) looks"],
  ["find . -files0-from x", "read(.) read(x) looks"],
  ["find -name x", "looks"],
  ["find /home/dev -delete", "risk(-delete) read(/home/dev) write(/home/dev) guard"],
  ["find . -unknown", "read(.)"],
  ["fd -x rm", "starts(rm)"],
  ["fd foo src", "read(src) looks"],
  ["fd -e ts -x rm {}", "starts(rm {})"],
  ["fd -X rm", "starts(rm)"],
  ["fd --exec rm", "starts(rm)"],
  ["fd --exec-batch=rm", "starts(rm)"],
  ["fd -tf -x rm", "starts(rm)"],
  ["fd foo --exec-b rm", "starts(rm)"],
];

test.each(cases)("%s", (command, known) => {
  expect(summarise(command)).toBe(known);
});
