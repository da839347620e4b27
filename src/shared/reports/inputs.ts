import { z } from "zod";
import { errorTexts } from "#shared/errors.ts";
import { cleanLines } from "#shared/free-text.ts";
import { rowId } from "#shared/ids.ts";
import { projectId, projectIdField } from "#shared/projects/inputs.ts";
import { countCharacters, isBlank } from "#shared/projects/messages-texts.ts";
import { figureKinds, planLimits, planTemplates, reportIntervals } from "./plans-texts.ts";
import { reportLimits as limits, reportTexts as texts } from "./texts.ts";

const someText = (missing: string, { min = 1, max, long = missing }: { min?: number; max: number; long?: string }) =>
  z
    .string(missing)
    .transform(cleanLines)
    .refine((text) => !isBlank(text) && countCharacters(text.trim()) >= min, missing)
    .refine((text) => countCharacters(text) <= max, long);

/** The project of a report: a link's, or one that the caller may report for. */
export const reportBy = z.union([z.strictObject({ token: z.string().min(1).max(200) }), z.strictObject({ projectId })]);
export type ReportBy = z.output<typeof reportBy>;

export const openReportInput = z.object({ by: reportBy });

const number = z.number().int().min(1).max(10_000);

/** Figures are typed: naira of money, the unit of everything else. `isConfirmed` answers questions about them. */
export const sendReportInput = z.object({
  by: reportBy,
  number,
  idempotencyKey: z.uuid(),
  content: someText(texts.contentMissing, { max: limits.content, long: texts.contentLong }),
  figures: z.record(z.string().max(planLimits.label), z.string().max(30)),
  farmNote: z
    .string()
    .transform(cleanLines)
    .refine((text) => countCharacters(text) <= limits.farmNote, texts.farmNoteLong),
  photoKeys: z.array(z.uuid()).max(limits.photos, texts.photosMany),
  isConfirmed: z.boolean().default(false),
});

/** The text fields of an upload; `by` is a link's token, or else a project. */
export const reportPhotoFields = z
  .object({
    token: z.string().min(1).max(200).optional(),
    projectId: projectIdField.optional(),
    number: z
      .string()
      .regex(/^[1-9]\d{0,4}$/)
      .transform(Number)
      .pipe(number),
    photoKey: z.uuid(),
  })
  .transform(({ token, projectId: project, ...photo }, ctx) => {
    if (token !== undefined) return { ...photo, by: { token } as ReportBy };
    if (project !== undefined) return { ...photo, by: { projectId: project } as ReportBy };
    ctx.addIssue({ code: "custom", message: errorTexts.invalidInput });
    return z.NEVER;
  });

export const decideFindingInput = z.object({ findingId: rowId, verdict: z.enum(["confirmed", "dismissed"]) });

export const reportIdInput = z.object({ reportId: rowId });
export const listReportsInput = z.object({ projectId, page: z.number().int().min(1).max(10_000).default(1) });
export const publishReportInput = z.object({ reportId: rowId, isCodeSeen: z.boolean() });
export const sendBackForm = z.object({ reason: someText(texts.sentBackShort, limits.sentBackNote) });
export const sendBackInput = sendBackForm.extend({ reportId: rowId });
export const excuseForm = z.object({ reason: someText(texts.excuseShort, limits.excuse) });
export const excuseReportInput = excuseForm.extend({ reportId: rowId });
export const reportLinkInput = z.object({ linkId: rowId });
export const makeReportLinkInput = z.object({
  projectId,
  label: someText(texts.labelMissing, { max: limits.linkLabel }),
});
export const reportRecordInput = z.object({ projectId });

const weekAndValue = z.tuple([z.number().int().min(0).max(520), z.number().min(0).max(1e12)]);

/** A plan as the form sends it. A curve's weeks go up. */
export const reportPlanForm = z.object({
  template: z.enum(planTemplates),
  everyDays: z.union(reportIntervals.map((days) => z.literal(days))),
  weekday: z.number().int().min(1).max(7),
  endsOn: z.iso.date().nullable(),
  figures: z
    .array(
      z.object({
        key: z.string().regex(/^[a-z_]{1,30}$/),
        label: z.string().trim().min(1).max(planLimits.label),
        unit: z.string().trim().max(planLimits.unit),
        kind: z.enum(figureKinds),
        isRequired: z.boolean(),
        curve: z
          .array(weekAndValue)
          .min(2)
          .max(planLimits.curvePoints)
          .refine((points) => points.every(([week], index) => index === 0 || week > (points[index - 1]?.[0] ?? -1)))
          .nullable(),
      }),
    )
    .min(planLimits.figures.min)
    .max(planLimits.figures.max)
    .refine((figures) => new Set(figures.map(({ key }) => key)).size === figures.length),
});
export const saveReportPlanInput = z.object({ projectId, plan: reportPlanForm });
