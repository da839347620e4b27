import { and, eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { storedFiles } from "#server/db/schema/files.ts";
import { jobApplications } from "#server/db/schema/team.ts";
import { signLink } from "#server/files/signed-links.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { latestFirst, pageOf } from "#server/platform/keyset.ts";
import type { ApplicantStatus } from "#shared/careers/applicant-statuses.ts";
import type { listApplicantsInput } from "#shared/careers/inputs.ts";
import { applicantsPageSize, applicantTexts } from "#shared/careers/texts.ts";
import { SIGNED_LINK_SECONDS } from "#shared/files.ts";

const order = latestFirst(jobApplications.createdAt, jobApplications.id, "bigint");

export const hasStatus = (status: ApplicantStatus): SQL => eq(jobApplications.status, status);

/** The list of /admin/applicants, newest first. */
export async function listApplicants({ db }: ActorContext, input: z.output<typeof listApplicantsInput>) {
  const found = await db
    .select({
      id: jobApplications.id,
      fullName: jobApplications.fullName,
      position: jobApplications.position,
      status: jobApplications.status,
      createdAt: jobApplications.createdAt,
    })
    .from(jobApplications)
    .where(and(input.status ? hasStatus(input.status) : undefined, order.after(input.cursor)))
    .orderBy(...order.by)
    .limit(applicantsPageSize + 1);
  return pageOf(found, applicantsPageSize, (last) => order.cursorOf(last.createdAt, last.id));
}

/** The number of applications, in total and per status. */
export async function countApplicants({ db }: ActorContext): Promise<Record<"all" | ApplicantStatus, number>> {
  const found = await db
    .select({ status: jobApplications.status, count: sql<number>`count(*)::int` })
    .from(jobApplications)
    .groupBy(jobApplications.status);
  const counts = { all: 0, new: 0, reviewed: 0, contacted: 0, rejected: 0 };
  for (const { status, count } of found) {
    counts[status] = count;
    counts.all += count;
  }
  return counts;
}

/** An application with its resume's file name. Throws "not_found". */
export async function getApplicant({ db }: ActorContext, { applicationId }: { applicationId: number }) {
  const [found] = await db
    .select({
      id: jobApplications.id,
      fullName: jobApplications.fullName,
      email: jobApplications.email,
      phone: jobApplications.phone,
      position: jobApplications.position,
      coverLetter: jobApplications.coverLetter,
      status: jobApplications.status,
      createdAt: jobApplications.createdAt,
      resume: { originalName: storedFiles.originalName, bytes: storedFiles.bytes },
    })
    .from(jobApplications)
    .leftJoin(storedFiles, eq(storedFiles.id, jobApplications.resumeFileId))
    .where(eq(jobApplications.id, applicationId));
  if (!found) throw new AppError("not_found", applicantTexts.gone);
  return found;
}

export const resumePath = (fileId: string) => `/files/resumes/${fileId}`;

/** A link to an applicant's resume, valid for 3600 s in the caller's session only. Throws "not_found". */
export async function findResumeLink(ctx: ActorContext, { applicationId }: { applicationId: number }) {
  const [resume] = await ctx.db
    .select({ fileId: storedFiles.id, originalName: storedFiles.originalName })
    .from(jobApplications)
    .innerJoin(storedFiles, eq(storedFiles.id, jobApplications.resumeFileId))
    .where(eq(jobApplications.id, applicationId));
  if (!resume) throw new AppError("not_found", applicantTexts.noResume);
  const expiresAt = new Date(ctx.clock.now().getTime() + SIGNED_LINK_SECONDS * 1000);
  const claim = { secret: ctx.appSecret, path: resumePath(resume.fileId), subject: ctx.actor.session.idHash };
  return { originalName: resume.originalName, url: signLink({ ...claim, expiresAt }), expiresAt };
}

/** The stored file of an applicant's resume, and no other kind of file. Throws "not_found". */
export async function findResumeFile({ db }: ActorContext, fileId: string) {
  const [file] = await db
    .select({
      key: storedFiles.storageKey,
      contentType: storedFiles.contentType,
      originalName: storedFiles.originalName,
    })
    .from(storedFiles)
    .innerJoin(jobApplications, eq(jobApplications.resumeFileId, storedFiles.id))
    .where(eq(storedFiles.id, fileId));
  if (!file) throw new AppError("not_found", applicantTexts.resumeUnavailable);
  return file;
}
