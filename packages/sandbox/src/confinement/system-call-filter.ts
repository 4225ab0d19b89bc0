/** Builds the program by which the kernel judges every system call of a confined command. */
import { type FilterArchitecture, judgedCalls, numberOn, refusedCalls } from "./refused-system-calls.ts";

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const instructionBytes = 8;
const loadWord = 0x20;
const isEqual = 0x15;
const isAtLeast = 0x35;
const hasAnyBit = 0x45;
const giveBack = 0x06;

/** Where the kernel puts what the program looks at. */
const numberOffset = 0;
const architectureOffset = 4;
/** The lower half: the kernel ignores the upper one of all arguments that are judged here. */
const argumentOffset = (index: number) => 16 + index * 8;

const allow: Instruction = [giveBack, 0, 0, 0x7fff0000];
const killProcess: Instruction = [giveBack, 0, 0, 0x80000000];
const failWith = (errorNumber: number): Instruction => [giveBack, 0, 0, 0x00050000 | errorNumber];

const notPermitted = failWith(1);
const notImplemented = failWith(38);
const familyNotSupported = failWith(97);

const kernelNames: Readonly<Record<FilterArchitecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** A second table of calls on the same machine, with other numbers. */
const x32Start = 0x40000000;

const unixFamily = 1;
/** IPv4, IPv6 and netlink end at the network of the sandbox. Others, such as those of virtual machines, do not. */
const networkFamilies: readonly number[] = [2, 10, 16];

/** Mounts, cgroups, host name, messages, users, processes, network. */
const namespaceFlags = 0x7e020000;
/** Means something else to `clone`. */
const timeNamespaceFlag = 0x80;

/** They type into the terminal of whoever started the command. */
const typingRequests: readonly number[] = [0x5412, 0x541c];

/** Little-endian, as both machines are. */
export function systemCallFilter(architecture: FilterArchitecture): Buffer {
  const program = [
    ...[load(architectureOffset), ...unless(isEqual, kernelNames[architecture], killProcess)],
    load(numberOffset),
    ...(architecture === "x64" ? when(isAtLeast, x32Start, [notImplemented]) : []),
    ...Object.values(refusedCalls).flatMap((numbers) => whenCalled(architecture, numbers, [notPermitted])),
    // Its flags lie in memory, where no filter can look; every caller falls back to `clone`.
    ...whenCalled(architecture, judgedCalls.clone3, [notImplemented]),
    ...whenCalled(architecture, judgedCalls.clone, [
      load(argumentOffset(0)),
      ...when(hasAnyBit, namespaceFlags, [notPermitted]),
      allow,
    ]),
    ...whenCalled(architecture, judgedCalls.unshare, [
      load(argumentOffset(0)),
      ...when(hasAnyBit, namespaceFlags | timeNamespaceFlag, [notPermitted]),
      allow,
    ]),
    ...whenCalled(architecture, judgedCalls.ioctl, [
      load(argumentOffset(1)),
      ...typingRequests.flatMap((request) => when(isEqual, request, [notPermitted])),
      allow,
    ]),
    // Sockets in the file system lead to agents, containers and editors outside. Pairs of sockets are another call.
    ...whenCalled(architecture, judgedCalls.socket, [
      load(argumentOffset(0)),
      ...when(isEqual, unixFamily, [notPermitted]),
      ...networkFamilies.flatMap((family) => when(isEqual, family, [allow])),
      familyNotSupported,
    ]),
    allow,
  ];
  const bytes = Buffer.alloc(program.length * instructionBytes);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    const start = index * instructionBytes;
    bytes.writeUInt16LE(code, start);
    bytes.writeUInt8(ifTrue, start + 2);
    bytes.writeUInt8(ifFalse, start + 3);
    bytes.writeUInt32LE(value, start + 4);
  }
  return bytes;
}

export function filterArchitectureOf(architecture: string): FilterArchitecture | undefined {
  return architecture === "x64" || architecture === "arm64" ? architecture : undefined;
}

function load(offset: number): Instruction {
  return [loadWord, 0, 0, offset];
}

function when(test: number, value: number, then: readonly Instruction[]): readonly Instruction[] {
  return [[test, 0, then.length, value], ...then];
}

function unless(test: number, value: number, then: Instruction): readonly Instruction[] {
  return [[test, 1, 0, value], then];
}

/** Nothing for a call that the machine does not have. `then` always ends the program, as another value is loaded in it. */
function whenCalled(
  architecture: FilterArchitecture,
  numbers: Parameters<typeof numberOn>[1],
  then: readonly Instruction[],
): readonly Instruction[] {
  const number = numberOn(architecture, numbers);
  return number === undefined ? [] : when(isEqual, number, then);
}
