import type { RouterOutputs } from "#client/lib/trpc.ts";
import { defaultTerms, termsClauses } from "#shared/projects/terms-texts.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";

/** Rows as the server sends them, for the screens that tests answer for. */

type Item<List> = List extends { items: (infer One)[] } ? One : never;

export const createdAt = new Date("2026-03-01T09:00:00Z");

const terms: RouterOutputs["payments"]["open"]["terms"] = {
  version: 1,
  clauses: termsClauses(defaultTerms(500)),
  plan: defaultTerms(500),
};

const farm = {
  id: 1,
  title: "Ponds at Epe",
  category: "livestock" as const,
  location: "Epe, Lagos",
  daysLeft: 10,
  imageUrl: "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
  imageAlt: "Two ponds",
  shortDescription: "Catfish in two earthen ponds.",
  fundingGoalKobo: 470_000_000n,
  currentFundingKobo: 0n,
  backersCount: 14,
  isClosed: false,
  round: 1,
  lots: 1,
  lotPriceKobo: 470_000_000n,
  approvedLots: 0,
  outcome: null,
  reports: null,
};
const { shortDescription, ...shownOnCard } = farm;
export const projectCard: Item<RouterOutputs["projects"]["list"]> = shownOnCard;
export const backedProject: RouterOutputs["backings"]["project"] = {
  ...farm,
  creator: "Lagoon Side Fisheries",
  writtenOff: [],
};
export const project: RouterOutputs["projects"]["byId"] = {
  ...shownOnCard,
  shortDescription,
  creator: "Lagoon Side Fisheries",
  farmId: null,
  rewards: [],
  videoUrl: null,
  description: "<p>Catfish.</p>",
  isUnderReview: false,
  isFavorite: false,
  isBacked: false,
  held: { lots: 0, mine: 0, mineUntil: null, freeAt: null, now: createdAt },
  progress: null,
  terms,
};
/** The data that its administrators edit, with its terms. */
export const editedProject = {
  id: 1,
  title: farm.title,
  category: farm.category,
  shortDescription: "Catfish in two ponds.",
  location: "Epe",
  description: "<p>Forty pens of giant snails, looked after by two families who have kept snails for years.</p>",
  videoUrl: null,
  imageUrl: "/scenes/catfish-ponds.svg",
  imageAlt: "",
  fundingGoalKobo: 50_000_000n,
  durationDays: 30,
  rewards: [],
  lockedBy: null,
  isClosed: false,
  updatedAt: createdAt,
  lots: 1,
  minimumLots: 1,
  farm: null,
  isFarmFixed: false,
  terms: { ...defaultTerms(500), version: 1 },
};
/** A farm without projects or people. */
export const emptyFarm: RouterOutputs["farms"]["one"] = {
  id: 7,
  name: "Epe Ponds",
  state: "Lagos",
  place: "Epe",
  latitude: null,
  longitude: null,
  sinceYear: 2014,
  story: "",
  registration: null,
  visitedOn: null,
  visitedBy: null,
  visitNote: null,
  closedAt: null,
  createdAt,
  updatedAt: createdAt,
  projects: [],
  people: [],
  invites: [],
};

export const dashboardProject: Item<RouterOutputs["dashboard"]["projects"]> = {
  id: 1,
  title: "Ponds at Epe",
  category: "livestock",
  creator: "Lagoon Side Fisheries",
  backerName: null,
  isClosed: false,
  fundingGoalKobo: 470_000_000n,
  currentFundingKobo: 0n,
  lots: 40,
  approvedLots: 12,
  outcome: null,
};

export const setting: RouterOutputs["settings"]["list"][number] = {
  id: 1,
  key: "supportemail",
  value: "desk@farm.example",
  description: "Support",
  updatedAt: createdAt,
  updatedByName: null,
};
export const admin: RouterOutputs["admins"]["list"][number] = {
  id: "00000000-0000-4000-8000-000000000003",
  email: "ada@gona.example",
  fullName: "Ada Obi",
  isBlocked: false,
  createdAt,
  lastActivityAt: createdAt,
  roles: ["manager"],
  grants: [],
  status: "active",
  isSelf: false,
};
export const invite: RouterOutputs["team"]["listInvites"][number] = {
  id: 1,
  email: "amina@gona.example",
  fullName: "Amina Sule",
  role: "manager",
  status: "invited",
  createdAt,
  expiresAt: new Date("2099-01-01"),
  isExpired: false,
};
export const person: Item<RouterOutputs["users"]["list"]> = {
  id: "00000000-0000-4000-8000-000000000004",
  fullName: "Bola Adeyinka",
  email: "bola@farm.example",
  isBlocked: false,
  createdAt,
  lastActivityAt: null,
};
export const applicant: RouterOutputs["careers"]["applicant"] = {
  id: 1,
  fullName: "Ada Obi",
  email: "ada@example.com",
  phone: "+234 803 000 0000",
  position: "Farm Hand",
  coverLetter: null,
  status: "new",
  createdAt,
  resume: null,
};
export const contactMessage: RouterOutputs["contact"]["message"] = {
  id: 1,
  name: "Grace Adamu",
  email: "grace@example.com",
  phone: "+234 802 000 0201",
  message: "May I visit?",
  isRead: true,
  createdAt,
};
export const payment: Item<RouterOutputs["payments"]["list"]> = {
  id: 1,
  submittedAt: createdAt,
  backerName: person.fullName,
  backerEmail: person.email,
  isAccountClosed: false,
  projectId: 1,
  projectTitle: farm.title,
  ownDecider: null,
  amountKobo: 470_000_000n,
  round: 1,
  lots: 1,
  roundLots: 1,
  restBy: null,
  reviewBy: null,
  late: null,
  reference: "GONA-ABCD-2345",
  status: "pending",
  rejectionReason: null,
  refundDue: null,
  refundContact: null,
  refundKobo: null,
  unallocatedKobo: 0n,
  refunds: [],
  bank: null,
  decidedAt: null,
  decidedByName: null,
  receipt: {
    id: "1",
    sha256: "0".repeat(64),
    contentType: "image/png",
    originalName: "transfer.png",
    submittedAt: createdAt,
    isUsedBefore: false,
  },
};
export const paymentPage: RouterOutputs["payments"]["open"] = {
  project: { id: 1, title: farm.title, imageUrl: farm.imageUrl, imageAlt: farm.imageAlt, isClosed: false },
  round: { lots: 1, lotPriceKobo: 470_000_000n, approvedLots: 0, minimumLots: 1 },
  terms,
  siteTerms: { version: 3, sha256: "3".repeat(64) },
  hold: null,
  purchase: null,
  surplus: null,
  mostLots: 1,
  reference: "GONA-ABCD-2345",
  ownPayment: null,
  blockedBy: null,
  isOtherUnderReview: false,
  isTakenByOther: false,
  bankDetails: { bankName: "Demo Bank", accountName: "Gona Farms", accountNumber: "0000000000" },
};

type SecondPersonRequest = RouterOutputs["secondPerson"]["list"]["requests"][number];
/** Returns a request of Chidi Eze, who looks at the page, to another owner. */
export const requestOf = (
  values: Pick<SecondPersonRequest, "kind" | "subject"> & Partial<SecondPersonRequest>,
): SecondPersonRequest => ({
  id: 7,
  askedBy: "Chidi Eze",
  reason: "The ponds were flooded.",
  requestedAt: createdAt,
  until: createdAt,
  title: "A second person is needed",
  consequences: [],
  projectId: 1,
  isPossible: true,
  isOwn: true,
  refusal: null,
  ...values,
});

const record: RouterOutputs["reports"]["record"] = {
  projectId: 1,
  round: 1,
  plan: { ...planOfTemplate("none"), version: 0 },
  fundedAt: null,
  summary: null,
  reports: [],
};
/** The answers about a project's reports where none was sent. */
export const noReports = { "reports.list": { items: [], total: 0 }, "reports.record": record };

const part = {
  part: 1,
  label: "Chicks and first feed",
  rate: 4000,
  proof: "",
  amountKobo: 450_000_000n,
  releasedKobo: 450_000_000n,
  state: "paid" as const,
  askableFrom: createdAt,
  releasedAt: createdAt,
  paidAt: createdAt,
  publicReason: null,
  skippedReason: null,
};
const open = { ...part, releasedKobo: 0n, state: "planned" as const, releasedAt: null, paidAt: null };
const parts = [
  part,
  { ...open, part: 2, label: "Feed to week 5", proof: "A receipt", rate: 3500, amountKobo: 393_750_000n },
  { ...open, part: 3, label: "Transport and sale", rate: 2500, amountKobo: 281_250_000n },
];
const money = {
  round: 1,
  raisedKobo: 1_125_000_000n,
  places: { atFarmKobo: 450_000_000n, waitingKobo: 675_000_000n, withUsKobo: 0n, returnedKobo: 0n },
  isStopped: false,
};
const paper = { id: 4, url: null, width: null, height: null };
/** A round's money of which the first part is at the farm, as everybody reads it. */
export const moneyInParts: NonNullable<RouterOutputs["releaseParts"]["whereMoneyIs"]> = {
  mayOpenPapers: false,
  ...money,
  parts: parts.map((one) => ({
    ...one,
    askedAt: one.paidAt,
    checkedAt: one.paidAt,
    proofs: one.paidAt ? [paper] : [],
  })),
};
/** The same as its farm's keepers read it: the second part can be asked for. */
export const keptMoney: RouterOutputs["farmReleaseParts"]["ofProject"] = {
  title: farm.title,
  rounds: [
    {
      ...money,
      hasSteps: true,
      parts: parts.map((one) => ({
        ...one,
        atFarmKobo: one.releasedKobo,
        releasableKobo: one.amountKobo - one.releasedKobo,
        askId: one.paidAt && 8,
        isNext: one.part < 3,
        canBeAskedFor: one.part === 2,
      })),
      asks: [
        {
          id: 8,
          part: 1,
          note: "500 chicks came on Monday.",
          askedAt: createdAt,
          askedByName: "Ngozi Bello",
          verdict: "checked",
          decidedAt: createdAt,
          refusal: null,
          proofs: [paper],
        },
      ],
    },
  ],
};
