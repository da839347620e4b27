import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { hashToken } from "#server/accounts/sessions.ts";
import type { Db } from "#server/db/open.ts";
import { farmReports, reportLinks, reportPlans } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { createAdmin } from "./people.ts";
import { createProject, type TestProject } from "./projects.ts";

/** A funded project of layers whose first report is due on the day after `now`, and a link by which it can be sent. */
export async function createReportScene(
  db: Db,
  now: Date,
  link: Partial<typeof reportLinks.$inferInsert> = {},
): Promise<{ project: TestProject; token: string; code: string }> {
  const project = await createProject(db, { title: "500 layers in Ilorin" });
  const of = { projectId: project.id, round: project.round };
  await db
    .update(projectRounds)
    .set({ outcome: "funded", decidedAt: now })
    .where(eq(projectRounds.projectId, project.id));
  const { template, everyDays, weekday, endsOn, figures } = planOfTemplate("layer");
  await db
    .insert(reportPlans)
    .values({ ...of, version: 1, template, everyDays, weekday, endsOn, figures, createdAt: now });
  const code = "7K3P";
  await db
    .insert(farmReports)
    .values({ ...of, number: 1, dueAt: new Date(now.getTime() + dayMs), code, createdAt: now });
  const token = await createReportLink(db, project.id, now, link);
  return { project, token, code };
}

/** Another link for a project, by a manager unless it is said who made it; gives its token. */
export async function createReportLink(
  db: Db,
  projectId: number,
  now: Date,
  values: Partial<typeof reportLinks.$inferInsert> = {},
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const madeBy = values.madeBy ?? (await createAdmin(db, "manager")).id;
  const defaults = { label: "Musa", createdAt: now, expiresAt: new Date(now.getTime() + 7 * dayMs) };
  await db.insert(reportLinks).values({ projectId, ...defaults, ...values, madeBy, tokenHash: hashToken(token) });
  return token;
}
