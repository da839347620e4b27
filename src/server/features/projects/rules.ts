import type { z } from "zod";
import { fieldRefusal } from "#server/platform/errors.ts";
import { sanitizeDescription } from "#server/platform/rich-text.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { parseNaira } from "#shared/money.ts";
import { isPhotoPath } from "#shared/photos.ts";
import { placeholderImage, projectFormLimits, projectFormTexts, supporterTier } from "#shared/projects/admin-texts.ts";
import { isFullDescription, type projectForm } from "#shared/projects/inputs.ts";
import { projectLimits, type Reward } from "#shared/projects/texts.ts";
import { isShownAddress } from "#shared/shown-address.ts";

/** Days until the end, rounded up; 0 once it has passed. */
export function daysLeft(endsAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / dayMs));
}

/** The end of a campaign of that many days from now (product decision: creation or last edit + duration). */
export function endOfCampaign(now: Date, durationDays: number = projectLimits.defaultDaysLeft): Date {
  return new Date(now.getTime() + durationDays * dayMs);
}

/** The picture's address, or the placeholder's if browsers would block it. */
export const shownPicture = (imageUrl: string): string => (isShownAddress(imageUrl) ? imageUrl : placeholderImage);

/**
 * Says whether a reward is the unchanged tier that every new project starts with. No farm promised it, so backers don't
 * see it.
 */
export const isGivenTier = ({ title, amountKobo, description, quantity }: Reward): boolean =>
  title === supporterTier.title &&
  BigInt(amountKobo) === parseNaira(supporterTier.amountNaira) &&
  description === supporterTier.description &&
  quantity === null;

const cloneSuffix = " (Clone)";

/** "Snail farm (Clone)", with the title shortened if both together are too long. */
export function cloneTitle(title: string): string {
  const letters = [...title];
  while (letters.join("").length + cloneSuffix.length > projectFormLimits.title.max) letters.pop();
  return letters.join("").trimEnd() + cloneSuffix;
}

/** Browsers copy whole addresses. One of our own photos is stored as its path. */
function ownPhotoPath(url: string, publicUrl: string): string | null {
  const path = url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : "";
  return isPhotoPath(path) ? path : null;
}

/**
 * Converts the form to columns; the campaign begins now. Throws "invalid" if the sanitised description is too short.
 */
export function columnsOf(form: z.output<typeof projectForm>, { publicUrl, now }: { publicUrl: string; now: Date }) {
  const { fundingGoal, duration, videoUrl, title, category, shortDescription, location, imageAlt, rewards } = form;
  const description = sanitizeDescription(form.description);
  if (!isFullDescription(description)) throw fieldRefusal("description", projectFormTexts.descriptionShort);
  return {
    title,
    category,
    shortDescription,
    description,
    location,
    imageUrl: ownPhotoPath(form.imageUrl, publicUrl) ?? form.imageUrl,
    imageAlt,
    rewards,
    videoUrl: videoUrl || null,
    fundingGoalKobo: fundingGoal,
    durationDays: duration,
    endsAt: endOfCampaign(now, duration),
  };
}
