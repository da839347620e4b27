import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { farmInvites, farmPeople, farms } from "#server/db/schema/farms.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { projectMessages, projects } from "#server/db/schema/projects.ts";
import { farmReports, reportAsks } from "#server/db/schema/reports.ts";
import { adminInvites, contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { users } from "#server/db/schema/users.ts";
import { batch, inBatches, type Read } from "./batches.ts";

/** Messages, notifications, mails, applications, invitations and work for farms of the person. */
export const messageLists: Record<string, Read> = {
  messages: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: projectMessages.id,
        projectId: projectMessages.projectId,
        project: projects.title,
        content: projectMessages.content,
        isPrivate: projectMessages.isPrivate,
        createdAt: projectMessages.createdAt,
      })
      .from(projectMessages)
      .innerJoin(projects, eq(projects.id, projectMessages.projectId))
      .where(and(eq(projectMessages.userId, userId), gt(projectMessages.id, after)))
      .orderBy(asc(projectMessages.id))
      .limit(batch),
  ),
  // What the team wrote to the person only.
  answers: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: projectMessages.id,
        projectId: projectMessages.projectId,
        project: projects.title,
        content: projectMessages.content,
        createdAt: projectMessages.createdAt,
      })
      .from(projectMessages)
      .innerJoin(projects, eq(projects.id, projectMessages.projectId))
      .where(and(eq(projectMessages.recipientId, userId), gt(projectMessages.id, after)))
      .orderBy(asc(projectMessages.id))
      .limit(batch),
  ),
  notifications: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: notifications.id,
        kind: notifications.kind,
        title: notifications.title,
        content: notifications.content,
        projectId: notifications.projectId,
        isRead: notifications.isRead,
        emailSent: notifications.emailSent,
        createdAt: notifications.createdAt,
      })
      .from(notifications)
      .where(and(eq(notifications.userId, userId), gt(notifications.id, after)))
      .orderBy(asc(notifications.id))
      .limit(batch),
  ),
  // Without their text: notifications' texts are above, and links in mails still work.
  mails: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: outgoingMails.id,
        to: outgoingMails.recipient,
        subject: outgoingMails.subject,
        writtenAt: outgoingMails.createdAt,
        sentAt: outgoingMails.sentAt,
      })
      .from(outgoingMails)
      .where(and(isTo(outgoingMails.recipient, userId), gt(outgoingMails.id, after)))
      .orderBy(asc(outgoingMails.id))
      .limit(batch),
  ),
  contactMessages: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: contactMessages.id,
        name: contactMessages.name,
        email: contactMessages.email,
        phone: contactMessages.phone,
        message: contactMessages.message,
        createdAt: contactMessages.createdAt,
      })
      .from(contactMessages)
      .where(and(isFrom(contactMessages.email, userId), gt(contactMessages.id, after)))
      .orderBy(asc(contactMessages.id))
      .limit(batch),
  ),
  jobApplications: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: jobApplications.id,
        fullName: jobApplications.fullName,
        email: jobApplications.email,
        phone: jobApplications.phone,
        position: jobApplications.position,
        coverLetter: jobApplications.coverLetter,
        resume: storedFiles.originalName,
        createdAt: jobApplications.createdAt,
      })
      .from(jobApplications)
      .leftJoin(storedFiles, eq(storedFiles.id, jobApplications.resumeFileId))
      .where(and(isFrom(jobApplications.email, userId), gt(jobApplications.id, after)))
      .orderBy(asc(jobApplications.id))
      .limit(batch),
  ),
  invitations: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: adminInvites.id,
        email: adminInvites.email,
        fullName: adminInvites.fullName,
        role: adminInvites.role,
        createdAt: adminInvites.createdAt,
        expiresAt: adminInvites.expiresAt,
        acceptedAt: adminInvites.consumedAt,
      })
      .from(adminInvites)
      .where(and(isFrom(adminInvites.email, userId), gt(adminInvites.id, after)))
      .orderBy(asc(adminInvites.id))
      .limit(batch),
  ),
  farmInvitations: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: farmInvites.id,
        farm: farms.name,
        email: farmInvites.email,
        fullName: farmInvites.fullName,
        role: farmInvites.role,
        createdAt: farmInvites.createdAt,
        expiresAt: farmInvites.expiresAt,
        acceptedAt: farmInvites.consumedAt,
        revokedAt: farmInvites.revokedAt,
      })
      .from(farmInvites)
      .innerJoin(farms, eq(farms.id, farmInvites.farmId))
      .where(and(isFrom(farmInvites.email, userId), gt(farmInvites.id, after)))
      .orderBy(asc(farmInvites.id))
      .limit(batch),
  ),
  farmWork: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: farmPeople.id,
        farmId: farmPeople.farmId,
        farm: farms.name,
        role: farmPeople.role,
        since: farmPeople.createdAt,
        endedAt: farmPeople.endedAt,
      })
      .from(farmPeople)
      .innerJoin(farms, eq(farms.id, farmPeople.farmId))
      .where(and(eq(farmPeople.userId, userId), gt(farmPeople.id, after)))
      .orderBy(asc(farmPeople.id))
      .limit(batch),
  ),
  sentReports: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: farmReports.id,
        projectId: farmReports.projectId,
        round: farmReports.round,
        number: farmReports.number,
        sentAt: farmReports.sentAt,
        content: farmReports.content,
        farmNote: farmReports.farmNote,
      })
      .from(farmReports)
      .where(and(eq(farmReports.sentBy, userId), gt(farmReports.id, after)))
      .orderBy(asc(farmReports.id))
      .limit(batch),
  ),
  reportAsks: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: farmReports.id,
        projectId: reportAsks.projectId,
        round: reportAsks.round,
        number: reportAsks.number,
        askedAt: reportAsks.createdAt,
      })
      .from(reportAsks)
      .innerJoin(
        farmReports,
        and(
          eq(farmReports.projectId, reportAsks.projectId),
          eq(farmReports.round, reportAsks.round),
          eq(farmReports.number, reportAsks.number),
        ),
      )
      .where(and(eq(reportAsks.userId, userId), gt(farmReports.id, after)))
      .orderBy(asc(farmReports.id))
      .limit(batch),
  ),
};

/** Mails to an address count as the person's only if it is verified, because others may have used it before. */
const isTo = (address: PgColumn, userId: string): SQL =>
  sql`${address} = (select ${users.email} from ${users} where ${users.id} = ${userId} and ${users.emailVerifiedAt} is not null)`;

/**
 * Messages sent without an account count as the person's only if the address is verified, because anybody may type it.
 */
const isFrom = (address: PgColumn, userId: string): SQL =>
  sql`lower(${address}) = (select ${users.email} from ${users} where ${users.id} = ${userId} and ${users.emailVerifiedAt} is not null)`;
