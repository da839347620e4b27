import { demoApplicants, demoContactMessages } from "#server/db/demo/people.ts";
import type { Tx } from "#server/db/open.ts";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";

const dayMs = 86_400_000;

/** The demo's applications and letters, as old as they say. */
export async function insertInbox(tx: Tx, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  await tx
    .insert(jobApplications)
    .values(demoApplicants.map(({ daysAgo, ...applicant }) => ({ ...applicant, createdAt: ago(daysAgo) })));
  await tx.insert(contactMessages).values(
    demoContactMessages.map(({ daysAgo, isRead, ...message }) => ({
      ...message,
      readAt: isRead ? ago(daysAgo / 2) : null,
      createdAt: ago(daysAgo),
    })),
  );
}
