/** Packers and unpackers. */
import { expect, test } from "vitest";
import { summarise } from "./summarise.ts";

const cases: readonly (readonly [command: string, known: string])[] = [
  ["tar -tf x.tar", "read(x.tar) looks"],
  ["tar tf x.tar", "read(x.tar) looks"],
  ["tar xzf x.tgz", "read(x.tgz) write(.)"],
  ["tar -xzf x.tgz -C /tmp", "read(x.tgz) write(/tmp)"],
  ["tar xf x.tar -C /tmp", "read(x.tar) write(/tmp)"],
  ["tar czf out.tgz src", "write(out.tgz) read(src)"],
  ["tar -cf /tmp/x.tar src", "write(/tmp/x.tar) read(src)"],
  [
    "tar -cf x.tar --checkpoint=1 --checkpoint-action=exec='rm x' .",
    "code(rm x) risk(--checkpoint-action) write(x.tar) read(.)",
  ],
  ["tar cf x.tar --checkpoint-act=exec=sh .", "code(sh) risk(--checkpoint-action) write(x.tar) read(.)"],
  ["tar --checkpoint-action=dot -cf x .", "write(x) read(.)"],
  ["tar -xf x.tar --to-command='rm x'", "code(rm x) risk(--to-command) read(x.tar) write(.)"],
  ["tar -xf x --to-comm='rm x'", "code(rm x) risk(--to-command) read(x) write(.)"],
  ["tar -I 'rm x' -xf y", "code(rm x) risk(-I --use-compress-program) read(y) write(.)"],
  ["tar --use-compress-program='rm x' -xf y", "code(rm x) risk(-I --use-compress-program) read(y) write(.)"],
  ["tar --use-comp='rm x' -xf y", "code(rm x) risk(-I --use-compress-program) read(y) write(.)"],
  ["tar -xf x --rsh-command='rm x'", "code(rm x) risk(--rsh-command) read(x) write(.)"],
  ["tar xIf zstd x.tar", "code(zstd) risk(-I --use-compress-program) read(x.tar) write(.)"],
  ["tar -F 'rm x' -xf y", "code(rm x) risk(-F --info-script --new-volume-script) read(y) write(.)"],
  ["unzip -p x.zip a", "read(x.zip) read(a) looks"],
  ["tar -xOf x.tar a", "read(x.tar) read(a) looks"],
  ["tar -cf host:x .", "read(.) outward"],
  ["tar --remove-files -cf x y", "risk(--remove-files) write(x) read(y)"],
  ["unzip -l x.zip", "read(x.zip) looks"],
  ["unzip x.zip", "read(x.zip) write(.)"],
  ["unzip x.zip -d /tmp", "write(/tmp) read(x.zip)"],
  ["zip -r x.zip src", "write(x.zip) read(src)"],
  ["zip x.zip a -TmTT 'rm x'", "risk(-TT) write(x.zip) read(a) read(rm x)"],
  ["zip x.zip a -T -TT 'rm x'", "code(rm x) risk(-TT --unzip-command) write(x.zip) read(a)"],
  ["7z x a.7z", "read(a.7z) write(.)"],
  ["7z x a.7z -o/tmp", "read(a.7z) write(/tmp)"],
  ["7z l a.7z", "read(a.7z) looks"],
  ["cpio -i", "write(.)"],
];

test.each(cases)("%s", (command, known) => {
  expect(summarise(command)).toBe(known);
});
