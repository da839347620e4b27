import { eq } from "drizzle-orm";
import type { z } from "zod";
import { isRolledBack } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { jobApplications } from "#server/db/schema/team.ts";
import { discardUpload } from "#server/files/uploads.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireHuman } from "#server/platform/human-check.ts";
import type { SubmitApplicationFields, setApplicantStatusInput } from "#shared/careers/inputs.ts";
import { applicantTexts, careerTexts } from "#shared/careers/texts.ts";
import { applicationMail } from "./emails.ts";

type Resume = { key: string; sha256: string; bytes: number; contentType: string; originalName: string };
type Application = SubmitApplicationFields & {
  /** Already stored under its key. It is removed if the application is refused or a repetition. */
  resume: Resume | null;
};

/**
 * Stores an application and queues the mail to us, both or neither, and only once per key. Throws at the answer of the
 * human check.
 */
export async function submitApplication(ctx: Context, input: Application): Promise<void> {
  const discardResume = async () => {
    if (input.resume) await discardUpload(ctx, input.resume.key);
  };
  try {
    const { isReplay } = await inTransaction(ctx.db, (tx) => keepApplication(tx, ctx, input));
    if (isReplay) await discardResume();
  } catch (error) {
    // Only a refusal guarantees a rollback. After another failure an orphaned file is swept later.
    if (error instanceof AppError || isRolledBack(error)) await discardResume();
    throw error;
  }
}

async function keepApplication(tx: Tx, ctx: Context, input: Application): Promise<{ isReplay: boolean }> {
  const { fullName, email, phone, position, coverLetter, idempotencyKey, resume } = input;
  const at = ctx.clock.now();
  const [kept] = await tx
    .insert(jobApplications)
    .values({ fullName, email, phone, position, coverLetter: coverLetter || null, idempotencyKey, createdAt: at })
    .onConflictDoNothing({ target: jobApplications.idempotencyKey })
    .returning({ id: jobApplications.id });
  // A retry after a lost response. Its question has already been used up.
  if (!kept) return { isReplay: true };
  await requireHuman(tx, ctx, input, careerTexts.wrongAnswer);
  if (resume) await attachResume(tx, ctx, { applicationId: kept.id, resume });
  const { supportEmail: to } = ctx.site.current();
  if (to === null) return { isReplay: false };
  await queueMail(tx, ctx, {
    eventKey: `job-application:${kept.id}`,
    to,
    ...applicationMail({ site: ctx.site.current(), fullName, position, hasResume: resume !== null, at }),
  });
  return { isReplay: false };
}

async function attachResume(
  tx: Tx,
  ctx: Context,
  { applicationId, resume }: { applicationId: number; resume: Resume },
): Promise<void> {
  const { key: storageKey, ...described } = resume;
  const [stored] = await tx
    .insert(storedFiles)
    .values({
      kind: "resume",
      storageKey,
      ...described,
      uploadedBy: ctx.actor?.id ?? null,
      createdAt: ctx.clock.now(),
    })
    .returning({ id: storedFiles.id });
  if (!stored) throw new Error("the resume's file was not written");
  await tx.update(jobApplications).set({ resumeFileId: stored.id }).where(eq(jobApplications.id, applicationId));
}

/**
 * Sets an application's status, in any direction, and audits it. The audit entry has the application's id instead of
 * the person's name, because it can never be erased. Setting the current status changes nothing. Throws "not_found".
 */
export async function setApplicantStatus(
  ctx: ActorContext,
  { applicationId, status }: z.output<typeof setApplicantStatusInput>,
) {
  return inTransaction(ctx.db, async (tx) => {
    const isIt = eq(jobApplications.id, applicationId);
    const [application] = await tx
      .select({ status: jobApplications.status, position: jobApplications.position })
      .from(jobApplications)
      .where(isIt)
      .for("update");
    if (!application) throw new AppError("not_found", applicantTexts.gone);
    if (application.status !== status) {
      await tx.update(jobApplications).set({ status }).where(isIt);
      const { position, status: before } = application;
      await recordAudit(tx, ctx, "update_applicant_status", { applicationId, position, before, after: status });
    }
    return { applicationId, status };
  });
}
