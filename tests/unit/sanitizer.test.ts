import { expect, test } from "vitest";
import { sanitizeDescription } from "#server/platform/rich-text.ts";

// The page's policy allows style attributes, because the server's picture has some: none may come from what people type.
test.each([
  '<p style="position:fixed;inset:0">All of the page</p>',
  "<p STYLE='background:url(//evil.example)'>All of the page</p>",
  '<a href="https://gona.example" style="display:block">All of the page</a>',
  '<img src="https://gona.example/a.jpg" style="width:100vw" alt="All of the page">',
])("no style attribute of a description is left: %s", (html) => {
  const clean = sanitizeDescription(html);
  expect(clean).not.toMatch(/style/i);
  expect(clean).toContain("All of the page");
});
