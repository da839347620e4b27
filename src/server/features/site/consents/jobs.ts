import { asc, eq, sql } from "drizzle-orm";
import { inTransaction, rows } from "#server/db/open.ts";
import { sitePages } from "#server/db/schema/site.ts";
import { queueMails } from "#server/mail/outbox.ts";
import type { Deps } from "#server/platform/deps.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { readVersions } from "#shared/site/page-versions.ts";
import { changesBetween, type WrittenVersion } from "#shared/site/terms-change.ts";
import { termsChangeMail } from "./emails.ts";

type JobDeps = Pick<Deps, "db" | "clock" | "env" | "jobs" | "site">;

/** The days before its moment on which people are told of a change. One that comes sooner is told at once. */
const daysBefore = 14;

/** The days after it on which they still are. The outbox keeps a mail longer than both, so none goes twice. */
const daysAfter = 7;

const batch = 1000;

/**
 * Mails a material change of the terms to whoever agreed to an earlier version and has an open account, once per person and
 * version. Administrators aren't asked, so they aren't told. It works in batches, each of which is a transaction: a run that
 * was broken off goes on at the next.
 */
export async function notifyOfTermsChanges(deps: JobDeps): Promise<void> {
  const now = deps.clock.now().getTime();
  const { page, version, isMaterial, changeNote, inForceFrom } = sitePages;
  const columns = { page, version, isMaterial, changeNote, inForceFrom };
  const written = await deps.db.select(columns).from(sitePages).where(eq(page, "terms")).orderBy(asc(version));
  // A version that a later one overtakes is never in force: the later one brings what it changes.
  const standing = readVersions(written, deps.clock.now())
    .filter(({ state }) => state !== "replaced")
    .reverse();
  for (const [index, { version: due, inForceFrom: from, state }] of standing.entries()) {
    if (now < from.getTime() - daysBefore * dayMs || now >= from.getTime() + daysAfter * dayMs) continue;
    const upToIt = written.filter((one) => one.isMaterial && one.version <= due);
    const newest = upToIt.at(-1);
    const before = standing[index - 1]?.version ?? 0;
    if (!newest || newest.version <= before) continue;
    await notifyOfVersion(deps, { version: due, inForceFrom: from, isInForce: state !== "coming", upToIt, newest });
  }
}

/** A version of the terms, and the material ones up to it: all of them, oldest first, and the last. */
type Due = {
  version: number;
  inForceFrom: Date;
  isInForce: boolean;
  upToIt: WrittenVersion[];
  newest: WrittenVersion;
};

async function notifyOfVersion(deps: JobDeps, { upToIt, newest, ...due }: Due): Promise<void> {
  // Whoever was told of the change is told again where its day is another one, not where its words were only mended.
  const isItsDay = newest.inForceFrom.getTime() === due.inForceFrom.getTime();
  const eventKey = `terms:${isItsDay ? newest.version : due.version}`;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const last = await inTransaction(deps.db, async (tx) => {
      const people = await rows<{ id: string; email: string; fullName: string; agreed: number }>(
        tx,
        sql`select u.id, u.email, u.full_name as "fullName", a.agreed
          from users u cross join lateral (
            select coalesce(max(t.version), 0) as agreed from consents c join agreed_texts t on t.sha256 = c.text_sha256
            where c.user_id = u.id and t.page = 'terms'
          ) a
          where u.id > ${after} and u.closed_at is null and not u.is_admin and a.agreed < ${newest.version}
            and not exists (select from outgoing_mails m where m.event_key = ${eventKey} || ':' || u.id)
          order by u.id limit ${batch}`,
      );
      const site = deps.site.current();
      const mails = people.map(({ id, email, fullName, agreed }) => {
        const changes = changesBetween(upToIt, agreed, due.version);
        return {
          eventKey: `${eventKey}:${id}`,
          to: email,
          ...termsChangeMail({ fullName, site, change: { ...due, changes } }),
        };
      });
      await queueMails(tx, deps, mails, { isUrgent: false });
      return people.at(-1)?.id;
    });
    if (last === undefined) return;
    after = last;
  }
}
