/** Harvests and what becomes of them: states, labels, limits and texts. No schema is here. */

/**
 * draft: being entered · choosing: backers choose what to do with their share · allotted: fixed, collected and sold ·
 * settled: money of its sales was divided · done: nothing more comes · lost: nothing was harvested, or all of it went ·
 * withdrawn: it was entered by mistake.
 */
export const harvestStates = ["draft", "choosing", "allotted", "settled", "done", "lost", "withdrawn"] as const;
export type HarvestState = (typeof harvestStates)[number];

export const harvestStateLabels: Record<HarvestState, string> = {
  draft: "Draft",
  choosing: "Backers choose",
  allotted: "Shared out",
  settled: "Settled",
  done: "Done",
  lost: "Lost",
  withdrawn: "Withdrawn",
};

/** The pools that a settlement divides: what was sold when it was shared out, or what nobody collected. */
export const harvestPools = ["sold", "uncollected"] as const;
export type HarvestPool = (typeof harvestPools)[number];

/** The losses that two owners declare: all of a harvest, its rest, or what the platform paid for it. */
export const harvestLosses = ["harvest", "rest", "costs"] as const;
export type HarvestLoss = (typeof harvestLosses)[number];

/** The parts to list: everybody's, those without a choice, or those whose produce still lies ready. */
export const harvestPartsShown = ["all", "unchosen", "waiting"] as const;
export type HarvestPartsShown = (typeof harvestPartsShown)[number];

/** Who paid a cost: the platform from its account, or the farm, which gets it back. */
export const costPayers = ["platform", "farm"] as const;
export type CostPayer = (typeof costPayers)[number];

export const costPayerLabels: Record<CostPayer, string> = { platform: "The platform", farm: "The farm" };

export const harvestFilePurposes = ["harvest", "cost", "sale"] as const;
export type HarvestFilePurpose = (typeof harvestFilePurposes)[number];

export const harvestLimits = {
  /** Below this part of the plan, in basis points, a harvest needs a reason and a photo. */
  shortRate: 9000,
  noteMin: 20,
  noteMax: 1000,
  /** For the harvest itself, its costs and its sales together. */
  files: 200,
  costs: 50,
  sales: 200,
  buyer: 120,
  /** Wrong codes within the minutes, after which the list takes none for as long. */
  wrongCodes: 5,
  wrongCodeMinutes: 10,
  /** All wrong codes of a day in Lagos, after which the list takes none for the rest of it. */
  wrongCodesADay: 20,
  /** While backers choose, a fall below this part of what was opened takes two owners, in basis points. */
  steepRate: 5000,
  /** Days before the end of choosing on which backers are reminded. */
  reminderDays: [7, 3, 1],
} as const;

/** "482 913": six digits as people read them out. Where a code is typed, the space may stay. */
export const spacedCode = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

export const harvestTexts = {
  gone: "This harvest no longer exists.",
  changed: "This harvest has changed in the meantime. Please look at it again.",
  notFunded: "Only a funded round has harvests.",
  nobody: "Nobody has a part in this round.",
  choiceMissing: "Please enter a quantity like 200, or 0",
  choiceSaved: "Your choice is saved",
  choiceFailed: "Your choice could not be saved",
  quantityMissing: "Please enter the quantity that was harvested, like 2,514.25",
  priceMissing: "Please enter the price used for estimates, for one unit, like 2,750",
  noteMissing: "Please say what happened, in at least 20 characters",
  noteTooLong: "At most 1,000 characters",
  shortNote: "This is less than 90% of the plan. Please say why, in at least 20 characters.",
  shortPhoto: "This is less than 90% of the plan. Please add a photo first.",
  fileGone: "This file no longer exists.",
  evidenceFirst: "Please add a photo or a document first.",
  nothingToChoose: "A harvest of nothing isn't opened for choosing. Declare it as lost.",
  lowerPhoto: "This is much less. Please add a photo of what happened since backers began to choose.",
  lowerSteep: "This is less than half of what backers were told. Another owner has to confirm it.",
  notSteep: "One person lowers it so far.",
  onlyLess: "While backers choose the quantity can only fall.",
  notDraft: "This harvest is not a draft any more.",
  notChoosing: "Backers don't choose about this harvest any more.",
  choicesMade: "Somebody has chosen already, so this harvest can't be withdrawn.",
  soldAlready: "Money of its sales has arrived, so this harvest can't be withdrawn.",
  noPart: "You have no part in this harvest.",
  tooMuch: (quantity: string) => `Your share is ${quantity}. Please choose at most that.`,
  notOffered: "The terms of this round don't offer that.",
  notAllotted: "This harvest isn't shared out yet.",
  codeUnknown: "No produce of this harvest has this code. Please look at it again.",
  codeShape: "A code has six digits",
  codesLocked: "Five wrong codes were entered. Please wait ten minutes.",
  codesLockedToday: "Twenty wrong codes were entered today. The list takes none before tomorrow.",
  collectedAlready: "This was collected already.",
  collectingOver: "Nobody collected this in time, so it is sold.",
  partsBeyond:
    "Parts that nobody paid for count more than this round's lots are worth. Two owners lower them before its harvest begins.",
  costNotFarm: "Only a cost that the farm paid is counted by two owners.",
  costCounted: "Two owners have counted this cost already.",
  costWaits: "Not counted yet: another owner has to confirm that the farm paid it.",
  costByKeeper: "You wrote this cost down as a keeper of the farm, so another owner confirms it.",
  costOfOther: "Only whoever entered this cost can take it back.",
  costUnknown: "The terms of this round name no such cost.",
  onlyPlatformCosts: "Nothing of this harvest is sold, so only costs that the platform paid are written down.",
  costsLostAlready:
    "The costs of this harvest were booked as a loss. Only an owner writes another down, and all of them are booked anew.",
  unwritten: (amount: string) =>
    `${amount} left the bank as costs of this harvest, and nobody wrote it down. Write the cost down with its receipt, or it is lost at the end.`,
  unwrittenIsLost: (amount: string) => `${amount} of it left the bank, and nobody wrote down what for.`,
  noCostsLeft: "No costs of this harvest that the platform paid are left to book.",
  costTaken: "This cost was taken from the sales or booked as a loss, so it stays.",
  saleAmount: "Please enter an amount like 1,250,000, at most ₦100,000,000,000",
  tooMuchSold: (left: string | null): string =>
    left === null ? "All that there was to sell is sold already." : `Only ${left} is left to sell.`,
  nothingToPayMoreFor: "Nothing has been sold yet, so nobody can pay more for it. Write down what was sold first.",
  saleMoneyStays: "Money of a buyer is in this harvest. Undo the match of its line first.",
  declaredAmount: "Two owners declared this sale, so its amount stays. Write the rest down as a further payment.",
  lessThanArrived: "More money of this sale has come than that.",
  sameAmount: "That is already the amount.",
  nothingOfSaleLost: "The bank took nothing of this sale back that was settled.",
  settledTakenBack:
    "The bank took money of this settlement back. Undo that match, reverse the settlement, and match it again.",
  saleReceived: "Money of this sale has arrived, so it stays.",
  saleGone: "This sale no longer exists.",
  saleArrived: "All money of this sale has arrived.",
  saleTakenBack: "This sale was declared and taken back. Remove it, and enter it anew.",
  restWaits: "What lines showed stays; the rest waits for a line.",
  notDeclared: "Nobody declared that money of this sale came.",
  saleSeen: "Lines of the statement show all money of this sale, so it stays.",
  saleSettled: "Money of this sale was settled, so it stays. Reverse the settlement first.",
  costGone: "This cost no longer exists.",
  nothingUncollected: "Everything was collected, or is still waiting to be.",
  nothingReceived: "No money of sales has arrived that isn't settled.",
  nothingSold: "Nothing of this harvest was sold.",
  settledByRecorder:
    "You wrote down a cost or a sale of it yourself, or removed a cost, so another owner settles it, or confirms that you do.",
  endedByRecorder:
    "You wrote down a cost yourself that would come off what is owed to the farm, so another owner ends this harvest.",
  taxesChanged: "The taxes have changed in the meantime. Please look at the table again.",
  proceedsChanged: "More or less money has arrived in the meantime. Please look at the table again.",
  wrongAmount: "Type the amount as the table shows it",
  settlementGone: "This settlement no longer exists.",
  reversedAlready: "This settlement was reversed already.",
  payoutLeft: "Money of this settlement is in a payment run or was sent already. Correct it with a further settlement.",
  taxPassedOn: "A tax of this settlement was passed on to the state already. Undo the match of its line first.",
  moneyLeft: "Money of its sales is not settled yet.",
  stillOpen: "Somebody can still collect produce of this harvest.",
  nothingSettled:
    "None of the produce to be sold for backers has been settled. Settle its sales, or declare it as lost.",
  unsold: "Some of what backers have to be sold was never sold. Sell it, or declare the rest as lost.",
  costsLost: (amount: string) =>
    `${amount} that the platform paid as costs would be lost. Two owners end it by booking that as a loss.`,
  salesUnpaid: "Money of its sales has not arrived. Wait for it, or declare the rest as lost.",
  loseInstead: "Nothing was settled and nobody has collected, so all of this harvest is lost. Declare it as lost.",
  nothingLost: "All of this harvest is sold and settled. Finish it.",
  restEvidence: "Please add a photo or a document of what happened since it was shared out.",
  begun: "This round's harvest has begun.",
  roundSettled: "This round has been settled.",
  lost: "This harvest is lost.",
  keepsProject: "A harvest of this project isn't done yet, so it can't be deleted.",
  owesBackers: "Money of this project's harvests is still to be paid, so it can't be deleted.",
  isDrafted: "A harvest of this round is being entered. Withdraw it first.",
  collected: "Somebody has collected produce, so this harvest can't be declared as lost.",
  settledPart: "Money of this harvest was settled, so it can't be declared as lost.",
} as const;
