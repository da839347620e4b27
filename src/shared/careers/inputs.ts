import { z } from "zod";
import { emailFieldSaying, fullNameField } from "#shared/accounts/inputs.ts";
import { cleanLines } from "#shared/free-text.ts";
import { rowId } from "#shared/ids.ts";
import { cursor } from "#shared/pagination.ts";
import { countCharacters } from "#shared/projects/messages-texts.ts";
import { shortText } from "#shared/short-text.ts";
import { applicantStatuses } from "./applicant-statuses.ts";
import { positionTitles } from "./positions.ts";
import { applicationLimits, careerTexts } from "./texts.ts";

const { nameMin, phone, coverLetterMax } = applicationLimits;

/** The fields that the applicant fills in, besides the resume; the page adds question and key. */
export const applicationForm = z.object({
  fullName: shortText(careerTexts.nameRequired)
    .refine((text) => countCharacters(text) >= nameMin, careerTexts.nameRequired)
    .pipe(fullNameField),
  email: emailFieldSaying(careerTexts.emailInvalid),
  phone: shortText(careerTexts.phoneInvalid)
    .min(phone.min, careerTexts.phoneInvalid)
    .max(phone.max, careerTexts.phoneInvalid)
    .regex(/^[\d ()+./-]*$/, careerTexts.phoneInvalid),
  position: z.enum(positionTitles, careerTexts.positionMissing),
  coverLetter: z
    .string(careerTexts.coverLetterTooLong)
    .overwrite(cleanLines)
    .refine((text) => countCharacters(text) <= coverLetterMax, careerTexts.coverLetterTooLong)
    .default(""),
  botCheck: z.literal(true, careerTexts.confirmHuman),
  humanVerification: shortText(careerTexts.answerMissing)
    .min(1, careerTexts.answerMissing)
    .max(20, careerTexts.wrongAnswer),
});

/** The text fields beside an uploaded resume. The key is generated once per content of the form. */
export const submitApplicationFields = applicationForm.extend({
  botCheck: z.literal("true", careerTexts.confirmHuman),
  challenge: z.string().max(200),
  idempotencyKey: z.uuid(),
});
export type SubmitApplicationFields = z.output<typeof submitApplicationFields>;

/** The longest field: 5000 characters of at most four bytes. */
export const applicationFieldBytes = 4 * coverLetterMax;

/** Job applicants in the administrators' area: inputs of both sides. */

export const applicationIdInput = z.object({ applicationId: rowId });
export const listApplicantsInput = z.object({ status: z.enum(applicantStatuses).nullish(), cursor });
export const setApplicantStatusInput = z.object({ applicationId: rowId, status: z.enum(applicantStatuses) });
