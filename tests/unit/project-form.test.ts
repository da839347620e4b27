import { expect, test } from "vitest";
import { projectFormLimits as limits, projectFormTexts as texts } from "#shared/projects/admin-texts.ts";
import { isFullDescription, projectForm } from "#shared/projects/inputs.ts";
import { projectFormOf } from "#tests/support/project-form.ts";

const messagesOf = (description: string) => {
  const { error } = projectForm.safeParse({ ...projectFormOf(), description });
  return error?.issues.map(({ message }) => message) ?? [];
};

test("a description that is too long is refused before anything else is looked at", () => {
  expect(messagesOf("<".repeat(240_000))).toEqual([texts.descriptionLong]);
  expect(messagesOf("<b></b>".repeat(limits.description.maxHtml))).toEqual([texts.descriptionLong]);
});

test.each([
  ["letters", "x".repeat(50), true],
  ["too few letters", "x".repeat(49), false],
  ["markup beside few letters", `<p title="${"x".repeat(50)}">${"x".repeat(49)}</p>`, false],
  ["tags only", "<p></p>".repeat(50), false],
  ["spaces only", `<p>${"&nbsp; \n".repeat(50)}</p>`, false],
  ["angle brackets that are text", `${"&lt;".repeat(13)}`, true],
  ["brackets that open nothing", "<".repeat(60), true],
])("a description of %s is counted by its letters", (_name, html, isFull) => {
  expect(isFullDescription(html)).toBe(isFull);
});
