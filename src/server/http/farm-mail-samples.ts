import * as farmPast from "#server/features/farm-past/emails.ts";
import * as farms from "#server/features/farms/emails.ts";
import * as harvests from "#server/features/harvests/emails.ts";
import type { NoticeText } from "#server/features/notifications/service.ts";
import * as releaseParts from "#server/features/payouts/release-parts/emails.ts";
import * as reports from "#server/features/reports/emails.ts";
import { openedNotice } from "#server/features/saved-searches/emails.ts";
import type { Mail } from "#server/mail/layout.ts";
import type { Site } from "#shared/site/site.ts";

/** Samples of what is written about new farms, and about a farm's reports, its harvests and its money. */

const flooded = "Rain in June flooded two of the three pens, and the birds in them drowned.";
const projectOf = (site: Site) => ({ site, projectId: 7, projectTitle: "Giant snails in shaded pens" });
const owedBy = (site: Site, dueAt: Date) => ({
  ...projectOf(site),
  farmName: "Epe Snails",
  number: 12,
  dueAt,
  sentBackAt: null,
});

export function farmNoticeSamples(site: Site, at: Date): Record<string, NoticeText> {
  const project = projectOf(site);
  const owed = owedBy(site, at);
  const harvest = { ...project, unit: "kg" as const };
  const until = new Date("2026-11-24T13:05:00Z");
  const part = { ...project, part: 2, parts: 3, label: "Feed to week 6", amountKobo: 35_000_000n };
  const layers = { id: 8, title: "400 layers near Ilorin", location: "Ilorin, Kwara", lotPriceKobo: 8_000_000n };
  const found = [
    { ...layers, firstHarvestOn: "2027-03-01" },
    { id: 7, title: project.projectTitle, location: "Offa, Kwara", lotPriceKobo: 5_000_000n, firstHarvestOn: null },
  ];
  const past = { site, farmId: 3, farmName: "Epe Ponds", fromYear: 2019, toYear: 2021, farmed: "600 layers" };
  const token = `1.${"0".repeat(43)}`;
  const entered = { ...project, unit: "kg" as const, number: 2, farm: "Epe Ponds" };
  return {
    "harvest-opened": harvests.openedNotice(harvest, { mine: 577_743n, until }),
    "harvest-counted": harvests.countedNotice(harvest, { mine: 577_743n, until }),
    "harvest-counted-for-a-closed-account": harvests.countedNotice(harvest, {
      mine: 577_743n,
      until,
      isLockedOut: true,
    }),
    "harvest-days-left": harvests.reminderNotice(harvest, { days: 3, until }),
    "harvest-one-day-left": harvests.reminderNotice(harvest, { days: 1, until }),
    "harvest-lowered": harvests.loweredNotice(harvest, { quantity: 2_310_500n, reason: flooded }),
    "harvest-withdrawn": harvests.withdrawnNotice(harvest, { reason: "It was entered for the wrong farm." }),
    "harvest-ready": harvests.readyNotice(harvest, {
      taken: 200_000n,
      code: "408213",
      until,
      place: "Moniya market, Ibadan",
    }),
    "harvest-codes-locked": harvests.codesLockedNotice(harvest, {
      number: 1,
      wrongCodes: 20,
      isOfDay: true,
      by: "Amaka Obi",
    }),
    "harvest-not-collected": harvests.uncollectedNotice(harvest, { taken: 200_000n }),
    "harvest-settled": harvests.settledNotice(harvest, {
      proceedsKobo: 565_178_194n,
      costsKobo: 18_500_000n,
      shareKobo: 99_590_775n,
      feeKobo: 4_979_538n,
      vatKobo: 373_465n,
      whtKobo: 0n,
      netKobo: 94_237_772n,
      statement: { number: `${site.paperPrefix}S-2026-000042` },
    }),
    "harvest-settled-for-nothing": harvests.settledNotice(harvest, {
      proceedsKobo: 18_500_000n,
      costsKobo: 18_500_000n,
      shareKobo: 0n,
      feeKobo: 0n,
      vatKobo: 0n,
      whtKobo: 0n,
      netKobo: 0n,
    }),
    "insurance-settled": harvests.settledNotice(harvest, {
      proceedsKobo: 45_000_000n,
      costsKobo: 0n,
      shareKobo: 15_000_001n,
      feeKobo: 0n,
      vatKobo: 0n,
      whtKobo: 0n,
      netKobo: 15_000_001n,
      isInsurance: true,
    }),
    "rest-of-harvest-lost": harvests.restLostNotice(harvest, { reason: "The buyer went out of business." }),
    "harvest-lost": harvests.lostNotice(harvest, { reason: flooded, insurance: null }),
    "insured-harvest-lost": harvests.lostNotice(harvest, {
      reason: flooded,
      insurance: { insurer: "Leadway", policy: "AG-2026-118", covers: "It pays what backers paid, for floods." },
    }),
    "saved-search": openedNotice({ site, finds: [{ name: "Farms in Kwara under ₦100,000", token, projects: found }] }),
    "farm-is-silent": reports.silentFarmNotice(owed),
    "report-missed": reports.missedReportNotice({ ...owed, silentDays: 14 }),
    "report-came": reports.reportCameNotice(owed),
    "farm-under-plan": reports.underPlanNotice(owed),
    "farm-entered-harvest": harvests.harvestEnteredNotice(entered),
    "farm-entered-cost": harvests.costEnteredNotice(entered, { label: "Feed", amountKobo: 18_500_000n }),
    "money-part-asked-for": releaseParts.partAskedNotice({ ...part, askedByName: "Ngozi Bello" }),
    "money-part-checked": releaseParts.partCheckedNotice({ ...part, checkedByName: "Chidi Eze" }),
    "money-to-farm": releaseParts.moneyReleasedNotice({ ...part, publicReason: null }),
    "money-held-back": releaseParts.moneyHeldBackNotice(part),
    "past-confirmed": farmPast.pastDecidedNotice({ ...past, state: "confirmed", reason: null }),
    "past-refused": farmPast.pastDecidedNotice({
      ...past,
      state: "refused",
      reason: "The delivery notes are of another farm.",
    }),
    "past-taken-down": farmPast.pastDecidedNotice({
      ...past,
      state: "taken_down",
      reason: "The years overlap your first round.",
    }),
    "money-to-silent-farm": releaseParts.moneyReleasedNotice({ ...part, publicReason: flooded }),
  };
}

/**
 * Samples of mails to a farm's people: their invitation, the reports that they owe, and the parts of the round's money.
 */
export function farmMailSamples(site: Site, { fullName, at }: { fullName: string; at: Date }): Record<string, Mail> {
  const part = { ...projectOf(site), part: 2, parts: 3 };
  const owed = owedBy(site, at);
  const toFarm = { code: "7K3P", fullName };
  const about = { ...part, label: "Feed to week 6", amountKobo: 35_000_000n, fullName };
  return {
    "report-due-tomorrow": reports.reminderMail(owed, { ...toFarm, reminder: "tomorrow" }),
    "report-due": reports.reminderMail(owed, { ...toFarm, reminder: "due" }),
    "report-late": reports.reminderMail(owed, { ...toFarm, reminder: "late" }),
    "report-sent-back": reports.reminderMail(owed, {
      ...toFarm,
      reminder: { sentBack: "The second photo is of another pen." },
    }),
    "farm-invitation": farms.farmInvitationMail({
      site,
      fullName,
      invitedBy: "Chidi Eze",
      farmName: "Ikeja Snail Farms",
      role: "keeper",
      hours: 72,
      url: `${site.publicUrl}/sample#access_token=${"0".repeat(64)}`,
    }),
    "own-part-checked": releaseParts.partDecidedMail({ ...about, decided: "checked" }),
    "own-part-released": releaseParts.partDecidedMail({ ...about, decided: "released" }),
    "own-part-taken-back": releaseParts.partDecidedMail({ ...about, decided: "taken_back" }),
    "own-part-refused": releaseParts.partDecidedMail({
      ...about,
      decided: { refused: "The receipt is of last year." },
    }),
  };
}
