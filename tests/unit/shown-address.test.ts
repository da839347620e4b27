import { describe, expect, test } from "vitest";
import { isShownAddress } from "#shared/shown-address.ts";

describe("a picture or film is shown", () => {
  test.each([
    "/scenes/catfish-ponds.svg",
    "/files/photos/0123456789abcdef0123456789abcdef/1600.webp",
    "https://farm.example/a.mp4",
    "HTTPS://farm.example/a.png",
  ])("from %s", (address) => expect(isShownAddress(address)).toBe(true));

  test.each([
    "",
    "x.png",
    "//farm.example/a.png",
    "/\\farm.example/a.png",
    "https:///farm.example",
    "http://farm.example/a.png",
    "javascript:alert(1)//.mp4",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "blob:https://farm.example/1",
    " https://farm.example/a.png",
  ])("but not from %j", (address) => expect(isShownAddress(address)).toBe(false));
});
