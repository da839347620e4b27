import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { setApplicantStatus, submitApplication } from "#server/features/careers/service.ts";
import { sendMessage, setContactMessageRead } from "#server/features/contact/service.ts";
import { fillHolidays } from "#server/features/holidays/jobs.ts";
import { saveSettings } from "#server/features/settings/service.ts";
import { addTestimonial } from "#server/features/site/home/testimonials.ts";
import { saveCompany } from "#server/features/site/profile/service.ts";
import { adoptPage, savePage } from "#server/features/site/texts/service.ts";
import { storePhoto } from "#server/files/photos.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { issueFormToken } from "#server/platform/form-token.ts";
import { askHumanCheck } from "#server/platform/human-check.ts";
import { sessionTimeoutKey } from "#shared/accounts/sessions.ts";
import { careersKey, homeFiguresKey } from "#shared/settings/texts.ts";
import { unnamedSite } from "#shared/site/site.ts";
import { type DemoCrowd, type DemoTestimonial, readDemoAbout, readDemoOperator } from "./demo-data.ts";
import type { Office, Step } from "./seed-office.ts";

/** The first owner's set-up, testimonials, and the applications and messages that the operator gets. */

/**
 * Names the site after the demo's operator, unless it has a name, and opens it for backers. The other texts are still
 * drafts.
 */
export async function openDemoSite(ctx: ActorContext): Promise<void> {
  if (ctx.site.current().version === 0)
    await saveCompany(ctx, { ...unnamedSite, ...(await readDemoOperator()), seenVersion: 0 });
  const about = { page: "about" as const, html: await readDemoAbout(), isMaterial: false, changeNote: "" };
  await savePage(ctx, { ...about, seenVersion: 0, inForceOn: null });
  for (const page of ["terms", "privacy"] as const) await adoptPage(ctx, { page, seenVersion: 0 });
  const values = {
    [sessionTimeoutKey]: "30",
    bankname: "Demo Bank (not a real bank)",
    bankaccountname: "DEMO - do not pay",
    bankaccountnumber: "0000000000",
    [homeFiguresKey]: "claimed",
    [careersKey]: "on",
  };
  await saveSettings(ctx, { seen: {}, values });
  await fillHolidays(ctx);
}

const saidDaysAgo = 30;

/** Plans the backers' quotes on the home page, entered by an owner. */
export const planTestimonials = (office: Office, testimonials: DemoTestimonial[]): Step[] =>
  testimonials.map(({ drawing, ...said }) => {
    const at = office.ago(saidDaysAgo);
    const run = async () => {
      const ctx = office.as("owner", at);
      const upload = { ...(await office.storeFile(drawing, "photo")), originalName: `${said.name}.svg` };
      const { url: photo } = await storePhoto(ctx, upload);
      await addTestimonial(ctx, { ...said, photo });
    };
    return { at, run };
  });

const noRow = { id: 0 };

/** Applications and contact messages, and what an owner did with them after half of their time. */
export const planInbox = (office: Office, { applicants, contactMessages: letters }: DemoCrowd): Step[] => [
  ...applicants.flatMap(({ daysAgo, status, coverLetter, ...applicant }): Step[] => {
    const [sent, seen] = [office.ago(daysAgo), office.ago(daysAgo / 2)];
    const send = () => {
      const ctx = office.asVisitor(sent);
      const checked = { botCheck: "true" as const, ...answerCheck(ctx), idempotencyKey: randomUUID() };
      return submitApplication(ctx, { ...applicant, coverLetter: coverLetter ?? "", ...checked, resume: null });
    };
    const decide = async () => {
      const isTheirs = eq(jobApplications.email, applicant.email);
      const [{ id: applicationId } = noRow] = await office.tx.select().from(jobApplications).where(isTheirs);
      await setApplicantStatus(office.as("owner", seen), { applicationId, status });
    };
    return [
      { at: sent, run: send },
      { at: seen, run: decide },
    ];
  }),
  ...letters.flatMap(({ daysAgo, isRead, ...letter }): Step[] => {
    const [sent, seen] = [office.ago(daysAgo), office.ago(daysAgo / 2)];
    const send = () => {
      const ctx = office.asVisitor(sent);
      const checked = { botCheck: true as const, ...answerCheck(ctx), formToken: issueFormToken(ctx) };
      return sendMessage(ctx, { ...letter, ...checked, idempotencyKey: randomUUID() });
    };
    const read = async () => {
      const isTheirs = eq(contactMessages.email, letter.email);
      const [{ id: messageId } = noRow] = await office.tx.select().from(contactMessages).where(isTheirs);
      await setContactMessageRead(office.as("owner", seen), { messageId, isRead });
    };
    return [
      { at: sent, run: send },
      { at: seen, run: read },
    ];
  }),
];

/** A question of the human check, answered. */
function answerCheck(ctx: Context) {
  const { first, second, challenge } = askHumanCheck(ctx);
  return { challenge, humanVerification: String(first + second) };
}
