import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { settings } from "#server/db/schema/settings.ts";
import { agreedTexts, sitePages, siteProfiles } from "#server/db/schema/site.ts";
import { agreedText, readPageText } from "#server/platform/page-texts.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createAdmin } from "#tests/support/people.ts";

const deps = await openTestDeps();
const agree = () => inTransaction(deps.db, (tx) => agreedText(tx, deps, "terms"));
const kept = async (sha256: string) =>
  (await deps.db.select().from(agreedTexts).where(eq(agreedTexts.sha256, sha256)))[0];

beforeEach(async () => {
  await deps.db.delete(settings);
});

test("until the operator has a text of their own, the software's is read, with their names and figures", async () => {
  const text = await readPageText(deps, "terms");
  expect(text).toMatchObject({ page: "terms", version: 0, inForceFrom: null, isShipped: true });
  expect(text.html).toContain('Gona is run by Gona Farms Limited ("we").');
  expect(text.html).toContain('<a href="mailto:support@gona.example">support@gona.example</a>');
  expect(text.html).toContain("within one working day");
});

test("what somebody agrees to is kept once, word for word, under the hash of version and words", async () => {
  const sha256 = await agree();
  const row = await kept(sha256);
  const { html } = await readPageText(deps, "terms");
  expect(row).toMatchObject({ page: "terms", version: 0, html });
  expect(createHash("sha256").update(`terms 0\n${html}`).digest("hex")).toBe(sha256);
  expect(await agree()).toBe(sha256);
  expect(await deps.db.$count(agreedTexts)).toBe(1);
});

test("another version is another text, from its moment on, and the old words stay", async () => {
  const before = await agree();
  const { id: writtenBy } = await createAdmin(deps.db, "owner");
  const inForceFrom = new Date(deps.clock.now().getTime() + 60_000);
  await deps.db.insert(sitePages).values({
    page: "terms",
    version: 1,
    html: "<p>{{name}} holds lots for {{holdhours}}.</p>",
    isMaterial: false,
    inForceFrom,
    writtenBy,
  });
  expect(await agree()).toBe(before);

  deps.clock.advance({ minutes: 1 });
  const after = await agree();
  expect(await kept(after)).toMatchObject({ version: 1, html: "<p>Gona holds lots for 24 hours.</p>" });
  expect(await kept(before)).toMatchObject({ version: 0 });
  expect(await readPageText(deps, "terms")).toMatchObject({ version: 1, inForceFrom, isShipped: false });

  await deps.db.insert(settings).values({ key: holdHoursKey, value: "48", description: "" });
  expect(await kept(await agree())).toMatchObject({ html: "<p>Gona holds lots for 48 hours.</p>" });
  expect(await deps.db.$count(siteProfiles)).toBe(1);
});

test("what was agreed to can't be changed or removed", async () => {
  const sha256 = await agree();
  await expect(deps.db.update(agreedTexts).set({ html: "<p>other</p>" })).rejects.toThrow();
  await expect(deps.db.delete(agreedTexts)).rejects.toThrow();
  expect((await kept(sha256))?.html).not.toContain("other");
});
