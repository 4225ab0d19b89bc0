import { describe, expect, test } from "vitest";
import { systemCallFilter } from "./system-call-filter.ts";

const kernelNames = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003 };
const verdicts = new Map([
  [0x7fff0000, "allow"],
  [0x80000000, "kill"],
  [0x00050001, "EPERM"],
  [0x00050026, "ENOSYS"],
  [0x00050061, "EAFNOSUPPORT"],
]);

type Call = { readonly number: number; readonly kernelName?: number; readonly args?: readonly number[] };

/** Runs the program as the kernel does, for the few instructions it is made of. */
function judge(architecture: "x64" | "arm64", { number, args = [], kernelName = kernelNames[architecture] }: Call) {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(kernelName, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + index * 8);
  const program = systemCallFilter(architecture);
  let value = 0;
  for (let place = 0; place < program.length; place += 8) {
    const jump = (isTrue: boolean) => program.readUInt8(place + (isTrue ? 2 : 3)) * 8;
    const operand = program.readUInt32LE(place + 4);
    const code = program.readUInt16LE(place);
    if (code === 0x06) return verdicts.get(operand) ?? operand;
    if (code === 0x20) value = data.readUInt32LE(operand);
    else if (code === 0x15) place += jump(value === operand);
    else if (code === 0x35) place += jump(value >= operand);
    else if (code === 0x45) place += jump((value & operand) !== 0);
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("the program ran past its end");
}

const numbers = {
  x64: { read: 0, ptrace: 101, clone: 56, clone3: 435, unshare: 272, ioctl: 16, socket: 41, socketpair: 53, last: 500 },
  arm64: {
    read: 63,
    ptrace: 117,
    clone: 220,
    clone3: 435,
    unshare: 97,
    ioctl: 29,
    socket: 198,
    socketpair: 199,
    last: 500,
  },
};

describe.each(["x64", "arm64"] as const)("on %s", (architecture) => {
  const on = numbers[architecture];

  test.each([
    ["reading", { number: on.read }, "allow"],
    ["a call that is newer than the filter", { number: on.last }, "allow"],
    ["looking into another process", { number: on.ptrace }, "EPERM"],
    ["a call of another kernel table", { number: on.read, kernelName: kernelNames.i386 }, "kill"],
    ["a thread", { number: on.clone, args: [0x003d0f00] }, "allow"],
    ["a child in a user namespace", { number: on.clone, args: [0x10000011] }, "EPERM"],
    ["a child whose flags lie in memory", { number: on.clone3 }, "ENOSYS"],
    ["its own table of files", { number: on.unshare, args: [0x400] }, "allow"],
    ["a user namespace", { number: on.unshare, args: [0x10000000] }, "EPERM"],
    ["a mount namespace", { number: on.unshare, args: [0x00020000] }, "EPERM"],
    ["a time namespace", { number: on.unshare, args: [0x80] }, "EPERM"],
    ["the size of a terminal", { number: on.ioctl, args: [1, 0x5413] }, "allow"],
    ["typing into a terminal", { number: on.ioctl, args: [0, 0x5412] }, "EPERM"],
    ["typing with odd upper bits", { number: on.ioctl, args: [0, 0x1_0000_5412] }, "EPERM"],
    ["pasting into a console", { number: on.ioctl, args: [0, 0x541c] }, "EPERM"],
    ["a socket in the file system", { number: on.socket, args: [1, 1] }, "EPERM"],
    ["a pair of sockets", { number: on.socketpair, args: [1, 1] }, "allow"],
    ["IPv4", { number: on.socket, args: [2, 1] }, "allow"],
    ["IPv6", { number: on.socket, args: [10, 1] }, "allow"],
    ["netlink", { number: on.socket, args: [16, 3] }, "allow"],
    ["a socket to the hypervisor", { number: on.socket, args: [40, 1] }, "EAFNOSUPPORT"],
  ] satisfies readonly [string, Call, string][])("%s", (_what, call, verdict) => {
    expect(judge(architecture, call)).toBe(verdict);
  });
});

test("the second table of calls of x64 does not exist", () => {
  expect(judge("x64", { number: 0x40000000 + 101 })).toBe("ENOSYS");
});
