import { communityFarms } from "./farms-community.ts";
import { educationFarms } from "./farms-education.ts";
import { equipmentMillsFarms } from "./farms-equipment-mills.ts";
import { equipmentTransportFarms } from "./farms-equipment-transport.ts";
import { livestockAnimalsFarms } from "./farms-livestock-animals.ts";
import { livestockBirdsFarms } from "./farms-livestock-birds.ts";
import { livestockFishFarms } from "./farms-livestock-fish.ts";
import { livestockSmallFarms } from "./farms-livestock-small.ts";
import { organicCropsFarms } from "./farms-organic-crops.ts";
import { organicForestAndHouseFarms } from "./farms-organic-forest-and-house.ts";
import { sustainableFieldFarms } from "./farms-sustainable-field.ts";
import { sustainableTreesFarms } from "./farms-sustainable-trees.ts";
import { techFarms } from "./farms-tech.ts";

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

export const demoFarms: DemoFarm[] = [
  ...sustainableFieldFarms,
  ...sustainableTreesFarms,
  ...organicCropsFarms,
  ...organicForestAndHouseFarms,
  ...livestockSmallFarms,
  ...livestockFishFarms,
  ...livestockBirdsFarms,
  ...livestockAnimalsFarms,
  ...techFarms,
  ...communityFarms,
  ...educationFarms,
  ...equipmentTransportFarms,
  ...equipmentMillsFarms,
];
