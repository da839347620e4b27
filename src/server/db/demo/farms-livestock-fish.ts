import type { DemoFarm } from "./farm.ts";

export const livestockFishFarms: DemoFarm[] = [
  {
    slug: "catfish-ponds",
    title: "Two more catfish ponds at Epe",
    category: "livestock",
    shortDescription:
      "Stock and feed for two earthen ponds of 1,500 catfish each, beside four ponds that already run near the Epe lagoon.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Lagoon Side Fisheries is owned by Kazeem Balogun, who worked nine years at a hatchery in Ikorodu. He and three workers run four earthen
ponds at Odo-Ragunsen. Ponds five and six are dug and limed, and stand empty.</p>
<h3>What the money buys</h3>
<ul>
<li>3,000 catfish juveniles at ₦90 each: <strong>₦270,000</strong></li>
<li>20 bags of starter feed (2 and 3 mm) at ₦26,000 each: <strong>₦520,000</strong></li>
<li>165 bags of grower feed at ₦18,500 each: <strong>₦3,052,500</strong></li>
<li>Fuel for pumping: <strong>₦180,000</strong></li>
<li>Sorting nets and bird lines: <strong>₦95,000</strong></li>
<li>5 months of wages at ₦70,000 each: <strong>₦350,000</strong></li>
<li>Kept aside for price rises: <strong>₦232,500</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Catfish reach about 1 kg in five months. We plan for 92 fish in 100 to reach harvest, or 2.7 tonnes in all. Backers may take their share
live, smoked or cleaned, or have it sold at the pond side, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Disease or bad water.</strong> Oxygen and ammonia are tested every morning. We hold a fifth of the pond's water ready to change
at any time.</li>
<li><strong>Feed price.</strong> Feed is most of the cost. We buy the first eight weeks on the day the money arrives. A rise beyond the
money kept aside means a smaller fish at harvest.</li>
<li><strong>Flood.</strong> The dykes are a metre above the high water of 2022, with nets on top.</li>
</ul>`,
    location: "Epe, Lagos",
    creator: "Lagoon Side Fisheries",
    goalNaira: 4_700_000,
    durationDays: 60,
    startedDaysAgo: 50,
    isClosed: false,
    imageAlt: "A farmer on a jetty throws feed into a pond; below the water line, large catfish swim up to it.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Lagoon Side Fisheries, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Smoked catfish",
        amountNaira: 9_000,
        description: "One kilo of dried, smoked catfish in a sealed pack.",
        quantity: 50,
      },
      {
        title: "Party fish",
        amountNaira: 35_000,
        description: "Ten kilos of live fish on a day you choose after harvest.",
        quantity: 15,
      },
    ],
    updates: [
      {
        daysAgo: 1,
        title: "Pond 3 sampled",
        content:
          "60 fish netted: 710 g on average at 17 weeks. Feed this week: 14 bags for ponds 3 and 4. Two dead fish.",
      },
      {
        daysAgo: 8,
        title: "Feed price moved",
        content:
          "Grower feed went from ₦18,000 to ₦18,500 at the Epe depot. Our plan already has ₦18,500. Starter feed is unchanged.",
      },
      {
        daysAgo: 15,
        title: "Pond 1 sold out",
        content:
          "1,298 kg sold in three days at ₦2,750 a kilo at the pond side. 1,352 fish came out of 1,500 stocked, so 90 in 100. " +
          "Two points below plan, after the low oxygen in week nine.",
      },
      {
        daysAgo: 22,
        title: "Ponds 5 and 6 filled",
        content:
          "Both hold 1.1 metres of water. We spread lime at 30 kg a pond. pH is 7.1 and 7.3. We wait for green water before " +
          "stocking.",
      },
      {
        daysAgo: 29,
        title: "Birds",
        content:
          "Kingfishers took some of the young fish in pond 4. We strung lines at half a metre. Count by net: about 40 fish fewer " +
          "than we thought.",
      },
      {
        daysAgo: 36,
        title: "Sorting day",
        content:
          "Pond 4 sorted at nine weeks: 1,060 middle size, 290 large, 71 small. Large fish were moved to pond 2, so that they " +
          "stop eating the small.",
      },
      {
        daysAgo: 43,
        title: "Rain and water",
        content:
          "84 mm of rain fell in two nights. The dykes held. Water was cloudy for three days and the fish ate a third less.",
      },
      {
        daysAgo: 49,
        title: "Starting figures",
        content: "Four ponds hold 5,640 fish. Deaths in the last month: 61. Feed used per kilo of fish gained: 1.12.",
      },
    ],
    messages: [
      {
        daysAgo: 7,
        from: "admin",
        content:
          "Yes. Tell us when we ask, about two weeks before harvest. Smoking costs ₦350 a kilo and is taken from your share.",
      },
      { daysAgo: 9, from: "backer", content: "Can I have half smoked and half sold?" },
      {
        daysAgo: 26,
        from: "admin",
        content:
          "Our last six ponds gave between 88 and 95. We start with juveniles of 10 g and not with fry, which is where most " +
          "losses happen.",
      },
      { daysAgo: 27, from: "backer", content: "Is 92 in 100 realistic? Others lose far more." },
      {
        daysAgo: 40,
        from: "admin",
        content:
          "It stood 20 cm over the old dykes, and about a third of the fish left. The dykes were raised after that. It has not " +
          "come so high again.",
      },
      { daysAgo: 41, from: "backer", content: "What did the flood of 2022 do to the farm?" },
    ],
    backers: 13,
  },
  {
    slug: "tilapia-cages",
    title: "Tilapia cages on Kainji lake",
    category: "livestock",
    shortDescription:
      "Two floating cages with 6,000 tilapia on Kainji lake, fed for six months and guarded day and night by the fishers.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Kainji Cage Fishers is a union of 15 fishermen at New Bussa. Catches on the lake have fallen, so they turned to cages in 2024. Mohammed
Gungawa leads the team. Three cages float now.</p>
<h3>What the money buys</h3>
<ul>
<li>2 floating cages (5 by 5 metres, 3 deep) at ₦450,000 each: <strong>₦900,000</strong></li>
<li>6,000 tilapia fingerlings (all male) at ₦45 each: <strong>₦270,000</strong></li>
<li>200 bags of floating feed at ₦16,000 each: <strong>₦3,200,000</strong></li>
<li>Canoe and life vests: <strong>₦260,000</strong></li>
<li>6 months of wages for guards at ₦70,000 each: <strong>₦420,000</strong></li>
<li>Kept aside for price rises: <strong>₦250,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Tilapia reach 350 g in six months. We plan for 85 in 100 alive, or 1.8 tonnes. Backers may take their share fresh on ice or smoked, or
have it sold in New Bussa and Minna, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Storms on the lake.</strong> Cages have four anchors each, and lie behind an island. A broken net can empty a cage, so divers
check each week.</li>
<li><strong>Low oxygen when the water turns.</strong> We watch the fish at dawn and stop feeding if they gasp. Cages can be towed to moving
water.</li>
<li><strong>Theft by night.</strong> Two guards sleep on a raft beside the cages.</li>
</ul>`,
    location: "New Bussa, Niger",
    creator: "Kainji Cage Fishers",
    goalNaira: 5_300_000,
    durationDays: 50,
    startedDaysAgo: 48,
    isClosed: false,
    imageAlt: "A fisherman in a canoe nets tilapia at floating cages on a wide, calm lake with green hills behind.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Kainji Cage Fishers, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Smoked tilapia",
        amountNaira: 8_000,
        description: "One kilo, packed, collected in New Bussa or Minna.",
        quantity: 40,
      },
    ],
    updates: [
      {
        daysAgo: 4,
        title: "Cage 2 harvested",
        content:
          "1,940 fish, 688 kg, so 355 g each. Sold at ₦2,300 a kilo on ice. 83 in 100 of those stocked came out.",
      },
      {
        daysAgo: 11,
        title: "Nets checked",
        content:
          "The divers found one hole of 4 cm in cage 3, and sewed it. Cages 1 and 2 are sound. Algae scrubbed off two sides.",
      },
      {
        daysAgo: 18,
        title: "Sampling",
        content: "Cage 1: 212 g at sixteen weeks. Cage 3: 96 g at nine weeks. 33 fish died this week in all three.",
      },
      {
        daysAgo: 25,
        title: "Wind",
        content:
          "Strong wind for two nights. One anchor line of cage 1 slipped by 12 metres. It was reset in the morning. No fish lost " +
          "that we know of.",
      },
      {
        daysAgo: 32,
        title: "Feed came by truck",
        content: "60 bags at ₦15,900. The last 20 km took five hours, because of the road.",
      },
      {
        daysAgo: 45,
        title: "How it stands",
        content:
          "Three cages, 6,480 fish. Deaths last month: 118. The lake is rising, and the water is 28 degrees at one metre.",
      },
    ],
    messages: [
      { daysAgo: 20, from: "backer", content: "Are the life vests worn?" },
      {
        daysAgo: 38,
        from: "admin",
        content:
          "No. The fingerlings are timed with the rising water. If nobody takes it we close, and come back next season.",
      },
      { daysAgo: 39, from: "backer", content: "If nobody takes it in time, will the campaign be extended?" },
    ],
    backers: 9,
  },
];
