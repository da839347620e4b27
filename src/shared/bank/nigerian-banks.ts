/**
 * Banks that payouts go to. `code` is the clearing code of three digits that the central bank (CBN) gives to commercial and
 * merchant banks; others have none. `nip` is the code of six digits by which NIBSS routes instant transfers. Sources: CBN's
 * list of deposit money banks and NIBSS' list of institutions, as publicly quoted in 2025.
 */
export type NigerianBank = { name: string; code: string | null; nip: string };

export const nigerianBanks: readonly NigerianBank[] = [
  { name: "9 Payment Service Bank", code: null, nip: "120001" },
  { name: "Access Bank", code: "044", nip: "000014" },
  { name: "Carbon", code: null, nip: "100026" },
  { name: "Citibank Nigeria", code: "023", nip: "000009" },
  { name: "Coronation Merchant Bank", code: "559", nip: "060001" },
  { name: "Ecobank Nigeria", code: "050", nip: "000010" },
  { name: "FairMoney Microfinance Bank", code: null, nip: "090551" },
  { name: "FBNQuest Merchant Bank", code: "911", nip: "060002" },
  { name: "Fidelity Bank", code: "070", nip: "000007" },
  { name: "First Bank of Nigeria", code: "011", nip: "000016" },
  { name: "First City Monument Bank (FCMB)", code: "214", nip: "000003" },
  { name: "FSDH Merchant Bank", code: "501", nip: "400001" },
  { name: "Globus Bank", code: "103", nip: "000027" },
  { name: "Guaranty Trust Bank (GTBank)", code: "058", nip: "000013" },
  { name: "Hope Payment Service Bank", code: null, nip: "120002" },
  { name: "Jaiz Bank", code: "301", nip: "000006" },
  { name: "Keystone Bank", code: "082", nip: "000002" },
  { name: "Kuda Microfinance Bank", code: null, nip: "090267" },
  { name: "LAPO Microfinance Bank", code: null, nip: "090177" },
  { name: "Lotus Bank", code: "303", nip: "000029" },
  { name: "MoMo Payment Service Bank", code: null, nip: "120003" },
  { name: "Moniepoint Microfinance Bank", code: null, nip: "090405" },
  { name: "Nova Bank", code: "561", nip: "060003" },
  { name: "OPay", code: null, nip: "100004" },
  { name: "Optimus Bank", code: "107", nip: "000036" },
  { name: "Paga", code: null, nip: "100002" },
  { name: "PalmPay", code: null, nip: "100033" },
  { name: "Parallex Bank", code: "104", nip: "000030" },
  { name: "Polaris Bank", code: "076", nip: "000008" },
  { name: "PremiumTrust Bank", code: "105", nip: "000031" },
  { name: "Providus Bank", code: "101", nip: "000023" },
  { name: "Rand Merchant Bank Nigeria", code: "502", nip: "000024" },
  { name: "Rubies Microfinance Bank", code: null, nip: "090175" },
  { name: "Signature Bank", code: "106", nip: "000034" },
  { name: "SmartCash Payment Service Bank", code: null, nip: "120004" },
  { name: "Sparkle Microfinance Bank", code: null, nip: "090325" },
  { name: "Stanbic IBTC Bank", code: "221", nip: "000012" },
  { name: "Standard Chartered Bank Nigeria", code: "068", nip: "000021" },
  { name: "Sterling Bank", code: "232", nip: "000001" },
  { name: "SunTrust Bank", code: "100", nip: "000022" },
  { name: "TAJ Bank", code: "302", nip: "000026" },
  { name: "Titan Trust Bank", code: "102", nip: "000025" },
  { name: "Union Bank of Nigeria", code: "032", nip: "000018" },
  { name: "United Bank for Africa (UBA)", code: "033", nip: "000004" },
  { name: "Unity Bank", code: "215", nip: "000011" },
  { name: "VFD Microfinance Bank", code: null, nip: "090110" },
  { name: "Wema Bank", code: "035", nip: "000017" },
  { name: "Zenith Bank", code: "057", nip: "000015" },
];

/** The code that names a bank in our rows: its clearing code, or where it has none the code of NIBSS. */
export const codeOf = ({ code, nip }: NigerianBank): string => code ?? nip;

/** A bank by either of its codes; undefined if it isn't listed. */
export const findBank = (code: string): NigerianBank | undefined =>
  nigerianBanks.find((bank) => bank.code === code || bank.nip === code);

const weights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

/**
 * Returns true if the tenth digit of an account number is the check digit of its bank (CBN's NUBAN standard: the bank's
 * three digits and the first nine of the number, weighted by 3, 7 and 3), and for banks without a clearing code, whose
 * numbers follow other rules. It may warn, and never refuses: wallets and old numbers break it.
 */
export function hasCheckDigit(bank: NigerianBank, accountNumber: string): boolean {
  if (bank.code === null) return true;
  const digits = [...bank.code, ...accountNumber.slice(0, 9)].map(Number);
  const sum = digits.reduce((total, digit, index) => total + digit * (weights[index] ?? 0), 0);
  return (10 - (sum % 10)) % 10 === Number(accountNumber[9]);
}

/** True if a number of ten digits, as it may be typed, isn't one that its bank usually gives. */
export function isNumberUnusual({ bankCode, accountNumber }: { bankCode: string; accountNumber: string }): boolean {
  const bank = findBank(bankCode);
  const digits = accountNumber.replace(/[\s-]/g, "");
  return bank !== undefined && digits.length === 10 && !hasCheckDigit(bank, digits);
}
