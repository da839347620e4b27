/** The parts in which a round's money goes to its farm: texts and limits. No schema is here. */

export const releasePartStates = ["planned", "asked", "refused", "checked", "released", "paid", "skipped"] as const;
export type ReleasePartState = (typeof releasePartStates)[number];

export const releasePartStateLabels: Record<ReleasePartState, string> = {
  planned: "Planned",
  asked: "Asked for",
  refused: "Refused",
  checked: "Checked",
  released: "On its way",
  paid: "Paid",
  skipped: "Left out",
};

export const releaseAskLimits = { proofs: 8, note: 1000, refusal: { min: 20, max: 500 } } as const;

export const releasePartTexts = {
  gone: "This part no longer exists.",
  askGone: "This request no longer exists.",
  noSteps: "The terms of this round name no parts. Its money is released at once.",
  notFunded: "Only a funded round's money goes to the farm.",
  askedAlready: "This part was asked for already. Please look at it again.",
  releasedAlready: "Money of this part was released already.",
  isSkipped: "This part was left out.",
  notBefore: (day: string) => `This part can be asked for from ${day} on.`,
  earlierFirst: (part: number) => `Part ${part} comes first: it isn't released in full yet.`,
  proofNeeded: (proof: string) => `Please add the proof that was agreed: ${proof}.`,
  proofsMany: `At most ${releaseAskLimits.proofs} photos and documents.`,
  proofFailed: "A file wasn't sent. Try it again, or remove it.",
  /** Below where they are chosen. */
  proofsPublic: "Once it is checked, everybody sees the photos, and the round's backers the papers.",
  asked: "Asked. We look at it and tell you.",
  askedFor: "Asked for. Somebody else checks it.",
  askFailed: "This part was not asked for",
  checked: "Checked. An owner can release it.",
  checkFailed: "This part was not checked",
  refused: "Refused. The farm is told why.",
  proofUpload: "Please upload the photo or document again.",
  decidedAlready: "This was decided already. Please look at it again.",
  ownAsk: "You asked for this part. Somebody else has to check it.",
  ofFarm: "You work for this farm. Somebody else has to check what it asks for.",
  invitedAsker: "You invited whoever asked for this part to the farm. Somebody else has to check it.",
  releasesIt: "Then no owner would be left to release it. Somebody else has to check it.",
  thirdConfirms: "Another owner, who neither asked for this part nor checked it, has to confirm its release.",
  thirdChecks:
    "Somebody else could have checked this part. Refuse it with the reason: the farm asks again, and they check it.",
  askChanged: "This part was asked for anew. Please look at it again.",
  nothingLeft: "Nothing is left of this part.",
  releaseOfFarm: "You work for this farm. So another owner has to confirm its release.",
  concernsFarm: "You work for this farm, so somebody else decides on its money.",
  findingsFirst: "Decide what was noticed about its photos first.",
  findingConfirmed: "A photo of it is the same as another. Refuse it, and the farm can ask again.",
  notChecked: (part: number) => `Part ${part} isn't checked yet.`,
  /** The reason why another owner has to agree to a release. */
  checkedByYou: "You asked for this part or checked it. So another owner has to confirm its release.",
  stopped:
    "The farm has missed two reports in a row. So another owner has to confirm this release, and everybody reads your reason.",
  /** For whoever confirms a release. */
  facts: (part: number, label: string, asker: string, checker: string | null) =>
    `It is part ${part}, “${label}”. ${asker} asked for it, and ${checker === null ? "nobody has checked it yet" : `${checker} checked it`}.`,
  /** Above the reason for another owner. */
  reasonMayBePublic: "If the farm has missed two reports in a row, everybody reads the reason.",
  moreThanPart: (there: string) => `This part has ${there} left.`,
  skipTitle: (part: number, label: string, project: string) => `Leave out part ${part} (${label}) of ${project}`,
  unskipTitle: (part: number, label: string, project: string) =>
    `Ask for part ${part} (${label}) of ${project} after all`,
  skipConsequence:
    "The farm can't ask for this part. Its money stays with us, and can be returned to the backers. Everybody reads the reason.",
  unskipConsequence: "The farm can ask for this part again.",
  cannotSkip: "A part that was asked for or released can't be left out. Refuse it first.",
  cannotUnskip: "A later part was asked for or released already.",
  notSkipped: "This part isn't left out.",
  none: "No money yet",
  noneText: "Once a round is funded you see here where its money is.",
  isStopped:
    "The farm has missed two reports in a row. What is left is released only if two owners agree, for a reason that everybody reads.",
  isStoppedPublic:
    "The farm has missed two reports in a row. Nothing more goes to it until it reports, or two of us agree for a reason that you can read here.",
  isStoppedForFarm: "Two reports are missing, so no money is released. Please send your next report.",
  releasedDespite: (reason: string) => `Released though two reports were missing: ${reason}`,
  documentsForBackers: "Papers are shown to the backers of this round.",
  refusedBecause: (refusal: string) => `We couldn't accept it: ${refusal}`,
  afterEarlier: "After the parts before it",
  loadFailed: "Where the money is could not be loaded",
} as const;
