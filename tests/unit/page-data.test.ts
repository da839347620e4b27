import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";
import { expect, test } from "vitest";
import { readDiscoverSearch } from "#client/features/projects/discover/discover-search.ts";
import { findRenderedPage } from "#server/http/pages/page-data.ts";
import { categoryIds } from "#shared/projects/categories.ts";
import { projectSorts } from "#shared/projects/texts.ts";

const find = (path: string, query = "") => findRenderedPage(path, new URLSearchParams(query))?.href;
/** The address as the client's router writes it, from what it reads. */
const byClient = (query: string) => `/discover${defaultStringifySearch(readDiscoverSearch(defaultParseSearch(query)))}`;

test("the server reads the filters of every address as the browser will, or leaves the page to it", () => {
  const sorts = ["", ...projectSorts, "evil", "%22newest%22"];
  const categories = ["", ...categoryIds, "weapons", '["tech"]'];
  const closed = ["", "true", "false", "1", "%22true%22"];
  let rendered = 0;
  for (const sort of sorts) {
    for (const category of categories) {
      for (const shown of closed) {
        const query = `?sort=${sort}&category=${category}&closed=${shown}`;
        const href = find("/discover", query);
        if (href === undefined) continue;
        rendered += 1;
        expect([query, href]).toEqual([query, byClient(query)]);
      }
    }
  }
  // All that can be chosen on the page: with no category, or one; open, or closed ones too.
  expect(rendered).toBeGreaterThanOrEqual(projectSorts.length * (categoryIds.length + 1) * 2);
});

test.each([
  "snail",
  "Snail farm",
  "ẹja àrọ̀",
  "catfish 2",
  "O'Brien's, No. 5",
  "null",
  "true",
  "12",
  "1e3",
  '"quoted"',
  "[1]",
  "{}",
  " spaces ",
  "a%20b ",
  "x".repeat(101),
  "</script>",
  "%00",
  "",
])("the words %s are searched for as the browser would, or not at all", (words) => {
  const query = `?search=${encodeURIComponent(words)}`;
  expect([undefined, byClient(query)]).toContain(find("/discover", query));
});

test("words of a plain search are rendered", () => {
  expect(find("/discover", "?search=Snail+farm&utm_source=chat")).toBe("/discover?search=Snail+farm");
});

test("a filter that is there twice leaves the page to the browser", () => {
  expect(find("/discover", "?sort=newest&sort=ending")).toBeUndefined();
});

test.each([
  ["/", "/"],
  ["/project/5", "/project/5"],
  ["/project/5/", undefined],
  ["/project/0", undefined],
  ["/project/abc", undefined],
  ["/project/99999999999", undefined],
  ["/about", "/about"],
  ["/terms", "/terms"],
  ["/faq", "/faq"],
  ["/careers", undefined],
  ["/admin/project/5", undefined],
])("of %s is rendered: %s", (path, href) => {
  expect(find(path)).toBe(href);
});

test("an earlier version of a text is left to the browser", () => {
  expect(find("/terms", "?version=2")).toBeUndefined();
});

test("a project's other tabs are left to the browser", () => {
  expect(find("/project/5", "?tab=updates")).toBeUndefined();
  expect(find("/project/5", "?utm_source=chat")).toBe("/project/5");
});
