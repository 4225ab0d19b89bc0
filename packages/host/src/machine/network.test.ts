import { expect, test } from "vitest";
import { createProxyChoice } from "./network.ts";

const choose = (url: string, environment: { readonly [name: string]: string }, setting?: string) =>
  createProxyChoice(setting, environment)(new URL(url));

test.each([
  ["https://api.example.com/v1", {}, undefined],
  ["https://api.example.com/v1", { HTTPS_PROXY: "http://proxy:1" }, "http://proxy:1"],
  ["https://api.example.com/v1", { https_proxy: "http://small:1", HTTPS_PROXY: "http://large:1" }, "http://small:1"],
  ["https://api.example.com/v1", { HTTP_PROXY: "http://proxy:1" }, undefined],
  ["http://api.example.com/v1", { HTTP_PROXY: "http://proxy:1" }, "http://proxy:1"],
  ["http://api.example.com/v1", { ALL_PROXY: "proxy:1" }, "http://proxy:1"],
  ["http://127.0.0.1:8080/v1", { ALL_PROXY: "http://proxy:1" }, undefined],
  ["http://localhost:8080/v1", { ALL_PROXY: "http://proxy:1" }, undefined],
  ["http://[::1]:8080/v1", { ALL_PROXY: "http://proxy:1" }, undefined],
  ["https://api.example.com/v1", { ALL_PROXY: "http://p:1", NO_PROXY: "*" }, undefined],
  ["https://api.example.com/v1", { ALL_PROXY: "http://p:1", NO_PROXY: "other.com, example.com" }, undefined],
  ["https://api.example.com/v1", { ALL_PROXY: "http://p:1", NO_PROXY: ".example.com:443" }, undefined],
  ["https://api.example.com/v1", { ALL_PROXY: "http://p:1", NO_PROXY: "example.com:8443" }, "http://p:1"],
  ["https://badexample.com/v1", { ALL_PROXY: "http://p:1", NO_PROXY: "example.com" }, "http://p:1"],
])("%s with %j goes through %s", (url, environment, proxy) => {
  expect(choose(url, environment)).toBe(proxy);
});

test("the setting wins over variables, and another kind of proxy is refused in words", () => {
  expect(choose("https://api.example.com", { HTTPS_PROXY: "http://proxy:1" }, "http://mine:2")).toBe("http://mine:2");
  expect(() => choose("https://api.example.com", { ALL_PROXY: "socks5://proxy:1" })).toThrow(
    "Proxies of type socks5 are not supported.",
  );
});
