import { expect, test } from "vitest";
import { keySequence } from "./key-sequences.ts";

test("keys become the sequences that every terminal sends", () => {
  const keys = [
    ..."enter escape tab shift+tab backspace space ctrl+c ctrl+space alt+enter alt+b ctrl+alt+u".split(" "),
    ..."up shift+up ctrl+home ctrl+end pageUp ctrl+pageDown delete f1 shift+f1 f5 ctrl+f12 é".split(" "),
  ];
  expect(Object.fromEntries(keys.map((key) => [key, keySequence(key)]))).toEqual({
    enter: "\r",
    escape: "\u001b",
    tab: "\t",
    "shift+tab": "\u001b[Z",
    backspace: "\u007f",
    space: " ",
    "ctrl+c": "\u0003",
    "ctrl+space": "\u0000",
    "alt+enter": "\u001b\r",
    "alt+b": "\u001bb",
    "ctrl+alt+u": "\u001b\u0015",
    up: "\u001b[A",
    "shift+up": "\u001b[1;2A",
    "ctrl+home": "\u001b[1;5H",
    "ctrl+end": "\u001b[1;5F",
    pageUp: "\u001b[5~",
    "ctrl+pageDown": "\u001b[6;5~",
    delete: "\u001b[3~",
    f1: "\u001bOP",
    "shift+f1": "\u001b[1;2P",
    f5: "\u001b[15~",
    "ctrl+f12": "\u001b[24;5~",
    é: "é",
  });
});

test("a key that no terminal can send is refused", () => {
  expect(() => keySequence("ctrl+1")).toThrow('The key "ctrl+1" has no sequence in a terminal.');
  expect(() => keySequence("hyper+a")).toThrow('"hyper" of the key "hyper+a" is no modifier.');
  expect(() => keySequence("enterr")).toThrow('The key "enterr" has no name here.');
});
