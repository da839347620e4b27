import type { DemoFarm } from "./farm.ts";
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
