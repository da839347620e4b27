import * as harvests from "#server/features/harvests/emails.ts";
import type { NoticeText } from "#server/features/notifications/service.ts";
import * as releaseParts from "#server/features/payouts/release-parts/emails.ts";
import * as reports from "#server/features/reports/emails.ts";
import { openedNotice } from "#server/features/saved-searches/emails.ts";
import type { Site } from "#shared/site/site.ts";

/** Samples of what is written about new farms, and about a farm's reports, its harvests and its money. */

const flooded = "Rain in June flooded two of the three pens, and the birds in them drowned.";

export function farmNoticeSamples(site: Site, at: Date): Record<string, NoticeText> {
  const project = { site, projectId: 7, projectTitle: "Giant snails in shaded pens" };
  const owed = { ...project, farmName: "Epe Snails", number: 12, dueAt: at, sentBackAt: null };
  const part = { ...project, part: 2, parts: 3, label: "Feed to week 6", amountKobo: 35_000_000n };
  const layers = { id: 8, title: "400 layers near Ilorin", location: "Ilorin, Kwara", lotPriceKobo: 8_000_000n };
  const found = [
    { ...layers, firstHarvestOn: "2027-03-01" },
    { id: 7, title: project.projectTitle, location: "Offa, Kwara", lotPriceKobo: 5_000_000n, firstHarvestOn: null },
  ];
  const token = `1.${"0".repeat(43)}`;
  const entered = { ...project, unit: "kg" as const, number: 2, farm: "Epe Ponds" };
  return {
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
    "money-to-silent-farm": releaseParts.moneyReleasedNotice({ ...part, publicReason: flooded }),
  };
}

/** What the farm's keepers are mailed about a part of the round's money. */
export function farmMailSamples(site: Site, fullName: string): Record<string, releaseParts.FarmMail> {
  const part = { site, projectId: 7, projectTitle: "Giant snails in shaded pens", part: 2, parts: 3 };
  const about = { ...part, label: "Feed to week 6", amountKobo: 35_000_000n, fullName };
  return {
    "own-part-checked": releaseParts.partDecidedMail({ ...about, decided: "checked" }),
    "own-part-released": releaseParts.partDecidedMail({ ...about, decided: "released" }),
    "own-part-taken-back": releaseParts.partDecidedMail({ ...about, decided: "taken_back" }),
    "own-part-refused": releaseParts.partDecidedMail({
      ...about,
      decided: { refused: "The receipt is of last year." },
    }),
  };
}
