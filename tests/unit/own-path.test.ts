import { describe, expect, test } from "vitest";
import { ownPath, ownPathMax } from "#shared/accounts/own-path.ts";

describe("a path to go on to", () => {
  test.each(["/", "/back-project?id=7&lots=2", "/admin/payouts?tab=runs#run-7", "/search?q=%5Cgari%0A", "/farms/Ọ̀yọ́"])(
    "of this site is followed: %s",
    (next) => expect(ownPath(next)).toBe(next),
  );

  test.each([
    null,
    undefined,
    "",
    "evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "//evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "\\\\evil.example",
    // Browsers read a backslash as a slash, and leave tabs and line breaks out before they read an address.
    "/a\\evil.example",
    "/..\\\\evil.example",
    "/a/..\\/\\evil.example",
    "/./\\evil.example",
    "/\t/evil.example",
    "/\n\\evil.example",
    "/\r\n/evil.example",
    "\t//evil.example",
    "/a?next=\\evil.example",
    "/a\u0000b",
    "/a\u007fb",
    "/a\u0085b",
    ` ${"//evil.example"}`,
    `/${"a".repeat(ownPathMax)}`,
  ])("elsewhere, or one that browsers may read otherwise, is not: %j", (next) => expect(ownPath(next)).toBeNull());
});
