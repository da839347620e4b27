import type { DemoFarm } from "./farm.ts";

export const communityFarms: DemoFarm[] = [
  {
    slug: "community-cassava",
    title: "Four hectares of village cassava",
    category: "community",
    shortDescription:
      "A village farms four hectares of improved cassava together, to stock its own garri store and sell what is left over.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Ojira is a village of about 700 people, outside Otukpo. Forty-two households share the work and the roots. Mrs Ene Ochigbo is the
secretary. Last year they grew two hectares and took 31 tonnes.</p>
<h3>What the money buys</h3>
<ul>
<li>240 bundles of improved stems at ₦1,500 each: <strong>₦360,000</strong></li>
<li>4 hectares ploughed and ridged at ₦95,000 each: <strong>₦380,000</strong></li>
<li>16 bags of NPK at ₦50,000 each: <strong>₦800,000</strong></li>
<li>4 hectares of weeding at ₦60,000 each: <strong>₦240,000</strong></li>
<li>Carrying roots to the road: <strong>₦90,000</strong></li>
<li>Kept aside for price rises: <strong>₦90,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Roots are lifted after eleven or twelve months. We plan for 64 tonnes. Half belongs to the households. From the other half backers may
take their share as garri in 50 kg bags, or have it sold as roots in Otukpo, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Mosaic disease.</strong> Stems are of a resistant kind, from the university farm in Makurdi. Sick plants are pulled in the first
eight weeks.</li>
<li><strong>Cattle at night.</strong> The farm lies on the far side of the stream, and four men watch from the tenth month on.</li>
<li><strong>Low root price.</strong> Garri keeps for half a year. The village can wait for a better month.</li>
</ul>`,
    location: "Otukpo, Benue",
    creator: "Ojira Community Farm",
    goalNaira: 1_960_000,
    durationDays: 45,
    startedDaysAgo: 40,
    isClosed: false,
    imageAlt:
      "Neighbours dig up and carry cassava together on red soil, with a pile of tubers in front and round thatched houses behind.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Ojira Community Farm, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Painter of garri",
        amountNaira: 4_500,
        description: "Four kilos of dry white garri, collected in Otukpo or Makurdi.",
        quantity: 100,
      },
      { title: "Bag of garri", amountNaira: 25_000, description: "25 kg, in a sewn bag.", quantity: 20 },
    ],
    updates: [
      {
        daysAgo: 2,
        title: "Garri from last year's roots",
        content: "The women fried 640 kg this week. 400 kg went to the store, 240 kg were sold at ₦780 a kilo.",
      },
      {
        daysAgo: 9,
        title: "Stems counted",
        content:
          "240 bundles are reserved at the university farm for three more weeks. We saw them: thick, two nodes to the hand, no " +
          "mealybug.",
      },
      {
        daysAgo: 16,
        title: "Rain gauge",
        content:
          "28 mm this week, 103 mm in the last four weeks. The soil is right for ridging. We wait only for the tractor.",
      },
      {
        daysAgo: 23,
        title: "Work list agreed",
        content:
          "42 households drew lots for the rows. Each gives one day a week. Three widows are free of work, and still get a full " +
          "share.",
      },
      {
        daysAgo: 30,
        title: "Last roots weighed",
        content:
          "The last quarter hectare gave 3.7 tonnes. Rotten roots: about 1 in 20, from the wet corner. That corner will be " +
          "planted with cocoyam.",
      },
      {
        daysAgo: 37,
        title: "Land measured again",
        content:
          "A student from Makurdi walked it with a GPS: 4.1 hectares. We keep four in the plan and leave the rest for a path.",
      },
    ],
    messages: [
      { daysAgo: 4, from: "backer", content: "Will the tractor come in time?" },
      {
        daysAgo: 24,
        from: "admin",
        content: "That is kind. You may leave your share to the village store when we ask you at harvest.",
      },
      { daysAgo: 25, from: "backer", content: "My grandmother came from Ojira. May I give without taking a share?" },
      {
        daysAgo: 35,
        from: "admin",
        content:
          "Nothing but each other. Every household has its own rows, and the plan counts one tonne as lost this way.",
      },
      { daysAgo: 36, from: "backer", content: "What stops people from digging roots before the harvest?" },
    ],
    backers: 11,
  },
  {
    slug: "womens-market-garden",
    title: "Women's market garden at Badagry",
    category: "community",
    shortDescription:
      "Twenty-four women grow pepper, okra and ewedu on shared sandy land and sell together, with one well for all.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Ajara Women's Garden has 24 members, most of them widows or fish smokers whose trade has fallen. Sister Yewande Hunpe leads them. The
chief lent a hectare of land for six years, and we have seen the paper.</p>
<h3>What the money buys</h3>
<ul>
<li>Seed of pepper, okra, ewedu and amaranth: <strong>₦70,000</strong></li>
<li>24 watering cans at ₦6,500 each: <strong>₦156,000</strong></li>
<li>Tube well and hand pump: <strong>₦160,000</strong></li>
<li>60 bags of manure at ₦1,500 each: <strong>₦90,000</strong></li>
<li>Shade roof for sorting: <strong>₦40,000</strong></li>
<li>Kept aside for price rises: <strong>₦24,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Leaves come after four weeks, okra after seven, pepper after eleven. The women keep 70 in 100 of the sales. From the rest backers may
take their share as vegetables, or have it sold at the Badagry market, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Sand dries quickly.</strong> Manure and mulch hold water. The well is within 60 metres of every bed.</li>
<li><strong>Salt in the well.</strong> We test the water before paying the driller. If it is salty at 12 metres we move to the north
corner.</li>
</ul>`,
    location: "Badagry, Lagos",
    creator: "Ajara Women's Garden",
    goalNaira: 540_000,
    durationDays: 40,
    startedDaysAgo: 15,
    isClosed: false,
    imageAlt:
      "Women in bright headwraps water, weed and carry vegetables among long beds of cabbage, onions and peppers at sunrise.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Ajara Women's Garden, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Pepper and okra",
        amountNaira: 3_500,
        description: "A four-kilo mixed bag, collected in Badagry on market day.",
        quantity: 40,
      },
    ],
    updates: [
      {
        daysAgo: 5,
        title: "Water test",
        content:
          "A hand-dug hole showed sweet water at 4 metres in the north corner, and slightly salty in the south. The well goes " +
          "north.",
      },
      {
        daysAgo: 12,
        title: "Beds shared out",
        content:
          "96 beds of 8 metres, four for each woman. The oldest member, Mama Sewanu, asked for beds near the gate and has them.",
      },
    ],
    messages: [
      {
        daysAgo: 8,
        from: "admin",
        content:
          "It is their work and their land. The plan pays the share of backers from the rest. We would rather say it now than " +
          "later.",
      },
      { daysAgo: 9, from: "backer", content: "Why do the women keep 70 in 100?" },
    ],
    backers: 7,
  },
];
