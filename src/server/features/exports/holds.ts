import { and, asc, eq, gt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { shownName } from "#server/platform/names.ts";
import { projectExportFilter } from "#shared/exports/inputs.ts";
import { holdStateLabels, type WaitingState, waitingStateLabels } from "#shared/projects/holds-texts.ts";
import { flag, moment, text, whole, word } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

/** The holds on lots and the waiting lists, of one project or of all. */

const ender = alias(users, "ender");

/** The holds of every round, those that are over too. */
export const holdsExport = exportable({
  permissions: ["payments:view"],
  filter: projectExportFilter,
  columns: {
    id: whole("Hold"),
    projectId: whole("Project ID"),
    projectTitle: text("Project"),
    round: whole("Round"),
    name: text("Name"),
    lots: whole("Lots"),
    state: word("State", holdStateLabels),
    isOffer: flag("Offered"),
    reference: text("Reference"),
    hasReceipt: flag("Receipt sent"),
    createdAt: moment("Since"),
    until: moment("Until"),
    endedAt: moment("Ended"),
    endedByName: text("Ended by"),
    endReason: text("Ended because"),
  },
  pages: (tx, { projectId }) =>
    inPages(({ after, limit }) =>
      tx
        .select({
          id: holds.id,
          projectId: holds.projectId,
          projectTitle: projects.title,
          round: holds.round,
          name: shownName(users),
          lots: holds.lots,
          state: holds.state,
          isOffer: sql<boolean>`${holds.reference} is null`,
          reference: holds.reference,
          hasReceipt: holds.hasReceipt,
          createdAt: holds.createdAt,
          until: holds.until,
          endedAt: holds.endedAt,
          endedByName: ender.fullName,
          endReason: holds.endReason,
        })
        .from(holds)
        .innerJoin(users, eq(users.id, holds.userId))
        .leftJoin(ender, eq(ender.id, holds.endedBy))
        .leftJoin(projects, eq(projects.id, holds.projectId))
        .where(and(gt(holds.id, after), projectId ? eq(holds.projectId, projectId) : undefined))
        .orderBy(asc(holds.id))
        .limit(limit),
    ),
});

const waitingState = sql<WaitingState>`case when ${waitingList.offeredAt} is not null then 'offered'
  when ${waitingList.leftAt} is not null then 'left' else 'waiting' end`;

/** Everybody who has waited for lots, in the order in which lots are offered. Who is offered some has a hold from then on. */
export const waitingListExport = exportable({
  permissions: ["payments:view"],
  filter: projectExportFilter,
  columns: {
    id: whole("Entry"),
    projectId: whole("Project ID"),
    projectTitle: text("Project"),
    round: whole("Round"),
    name: text("Name"),
    lots: whole("Lots"),
    state: word("State", waitingStateLabels),
    joinedAt: moment("Since"),
    offeredAt: moment("Offered"),
    leftAt: moment("Left"),
  },
  pages: (tx, { projectId }) =>
    inPages(({ after, limit }) =>
      tx
        .select({
          id: waitingList.id,
          projectId: waitingList.projectId,
          projectTitle: projects.title,
          round: waitingList.round,
          name: shownName(users),
          lots: waitingList.lots,
          state: waitingState,
          joinedAt: waitingList.joinedAt,
          offeredAt: waitingList.offeredAt,
          leftAt: waitingList.leftAt,
        })
        .from(waitingList)
        .innerJoin(users, eq(users.id, waitingList.userId))
        .leftJoin(projects, eq(projects.id, waitingList.projectId))
        .where(and(gt(waitingList.id, after), projectId ? eq(waitingList.projectId, projectId) : undefined))
        .orderBy(asc(waitingList.id))
        .limit(limit),
    ),
});
