import { z } from "zod";
import { emailFieldSaying, fullNameField } from "#shared/accounts/inputs.ts";
import { cleanLines } from "#shared/free-text.ts";
import { positiveInt, rowId } from "#shared/ids.ts";
import { cursor } from "#shared/pagination.ts";
import { inviteTexts } from "#shared/people/team-texts.ts";
import { searchText } from "#shared/projects/inputs.ts";
import { administratorsName } from "#shared/projects/texts.ts";
import { shortText } from "#shared/short-text.ts";
import { farmPeopleTexts } from "./people-texts.ts";
import { farmRoles, farmLimits as limits, nigerianStates, farmTexts as texts } from "./texts.ts";

export const farmIdInput = z.object({ farmId: positiveInt });

/** Degrees as they are typed, kept no finer than 0.1 (about 11 km). Empty is null. */
const degrees = (most: number) =>
  shortText(texts.degrees)
    .max(20, texts.degrees)
    .refine(
      (text) => text === "" || (/^-?\d{1,3}([.,]\d+)?$/.test(text) && Math.abs(numberOf(text)) <= most),
      texts.degrees,
    )
    .transform((text) => (text === "" ? null : numberOf(text).toFixed(1)));
const numberOf = (text: string) => Number(text.replace(",", "."));

/** Empty is null. */
const optional = (max: number, message: string) =>
  shortText(message)
    .max(max, message)
    .transform((text) => text || null);

const fields = z.object({
  name: shortText(texts.name)
    .min(limits.name.min, texts.name)
    .max(limits.name.max, texts.name)
    .refine((name) => name.toLowerCase() !== administratorsName.toLowerCase(), texts.nameTaken),
  state: z.enum(nigerianStates, texts.state),
  place: shortText(texts.place).max(limits.place, texts.place),
  latitude: degrees(90),
  longitude: degrees(180),
  sinceYear: z
    .number(texts.since)
    .int(texts.since)
    .min(limits.since.min, texts.since)
    .max(limits.since.max, texts.since)
    .nullable(),
  story: z.string(texts.story).overwrite(cleanLines).max(limits.story, texts.story),
  registration: optional(limits.registration, texts.registration),
  visitedOn: z.iso.date(texts.visitedOn).nullable(),
  visitedBy: optional(limits.visitedBy, texts.visitedBy),
  visitNote: optional(limits.visitNote, texts.visitNote),
});

/** Refuses a coordinate without the other, and a visit without its day or its visitor. */
function checkTogether(
  farm: Pick<z.output<typeof fields>, "latitude" | "longitude" | "visitedOn" | "visitedBy" | "visitNote">,
  ctx: z.RefinementCtx,
): void {
  const fault = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
  if (farm.latitude === null && farm.longitude !== null) fault("latitude", texts.bothDegrees);
  if (farm.longitude === null && farm.latitude !== null) fault("longitude", texts.bothDegrees);
  if (farm.visitedOn !== null && farm.visitedBy === null) fault("visitedBy", texts.visitedByMissing);
  if (farm.visitedOn === null && (farm.visitedBy !== null || farm.visitNote !== null))
    fault("visitedOn", texts.visitedOnMissing);
}

export const farmForm = fields.superRefine(checkTogether);
export type FarmFormInput = z.input<typeof farmForm>;

/** `seenUpdatedAt` is of the farm that filled the form: a farm that has changed since isn't touched. */
export const updateFarmInput = fields
  .extend({ farmId: positiveInt, seenUpdatedAt: z.date() })
  .superRefine(checkTogether);

export const listFarmsInput = z.object({ search: searchText, showClosed: z.boolean().default(false), cursor });
export const pickFarmInput = z.object({ search: searchText });

export const inviteToFarmInput = z.object({
  farmId: positiveInt,
  email: emailFieldSaying(inviteTexts.emailInvalid),
  fullName: shortText(inviteTexts.nameTooShort).min(2, inviteTexts.nameTooShort).pipe(fullNameField),
  role: z.enum(farmRoles, farmPeopleTexts.roleMissing),
});
export type InviteToFarmInput = z.output<typeof inviteToFarmInput>;

export const farmInviteInput = z.object({ inviteId: rowId });
export const farmInviteTokenInput = z.object({ token: z.string().max(200) });
export const farmPersonInput = z.object({ personId: rowId });
export const farmPersonRoleInput = farmPersonInput.extend({ role: z.enum(farmRoles, farmPeopleTexts.roleMissing) });
