export type DemoFarm = {
  /** The scene's file name without .svg. */
  slug: string;
  title: string;
  category: "sustainable" | "organic" | "livestock" | "tech" | "community" | "education" | "equipment";
  shortDescription: string;
  /** h3, p, ul, li and strong only; the amounts under "What the money buys" sum to goalNaira. */
  descriptionHtml: string;
  location: string;
  creator: string;
  goalNaira: number;
  durationDays: number;
  startedDaysAgo: number;
  isClosed: boolean;
  imageAlt: string;
  rewards: { title: string; amountNaira: number; description: string; quantity: number | null }[];
  updates: { daysAgo: number; title: string; content: string }[];
  messages: { daysAgo: number; from: "backer" | "admin"; content: string }[];
  /** How many of the demo people back it by an administrator's grant. */
  backers: number;
};
