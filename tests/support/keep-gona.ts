import type { Db } from "#server/db/open.ts";
import { settings } from "#server/db/schema/settings.ts";
import { mailProofs, sitePages, siteProfiles } from "#server/db/schema/site.ts";
import type { Deps } from "#server/platform/deps.ts";
import { careersKey } from "#shared/settings/texts.ts";
import { gona, otherOperator } from "./site.ts";

/** Names the site of a database, long before the clocks of the tests begin. */
export async function keepGona(db: Db, more: { address?: string } = {}): Promise<void> {
  const {
    look: _look,
    publicUrl: _publicUrl,
    hasCareers: _hasCareers,
    reviewDays: _reviewDays,
    reviewTime: _reviewTime,
    markPath: _markPath,
    ...profile
  } = gona;
  await db.insert(siteProfiles).values({ ...profile, ...more, createdAt: new Date("2020-01-01T00:00:00Z") });
}

/** Meets a real site's conditions for taking money, besides a bank account: company, texts, a mail that arrived. */
export async function openForMoney(db: Db, ownerId: string): Promise<void> {
  const at = new Date("2020-01-02T00:00:00Z");
  await keepGona(db, { address: "12 Marina Road, Epe" });
  const adopted = { version: 1, html: "<p>Ours.</p>", isMaterial: false, inForceFrom: at, writtenBy: ownerId };
  await db.insert(sitePages).values([
    { ...adopted, page: "terms" },
    { ...adopted, page: "privacy" },
  ]);
  const proof = { codeHash: "0".repeat(64), sentTo: "owner@gona.example", askedBy: ownerId, provenAt: at };
  await db.insert(mailProofs).values(proof);
}

/** Lets the site offer jobs, as the demo does. */
export async function offerJobs({ db, site }: Pick<Deps, "db" | "site">): Promise<void> {
  await db.insert(settings).values({ key: careersKey, value: "on" });
  await site.refresh();
}

/** Names the site of a database after another operator, before anything happens on it. */
export async function keepOtherOperator({ db, site }: Pick<Deps, "db" | "site">): Promise<void> {
  const {
    look: _look,
    publicUrl: _publicUrl,
    hasCareers: _hasCareers,
    reviewDays: _reviewDays,
    reviewTime: _reviewTime,
    markPath: _markPath,
    ...profile
  } = otherOperator;
  await db.insert(siteProfiles).values({ ...profile, createdAt: new Date("2020-01-02T00:00:00Z") });
  await site.refresh();
}
