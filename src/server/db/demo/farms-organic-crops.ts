import type { DemoFarm } from "./farm.ts";

export const organicCropsFarms: DemoFarm[] = [
  {
    slug: "organic-ginger",
    title: "One hectare of clean-seed ginger",
    category: "organic",
    shortDescription:
      "Ginger from healthy seed on raised beds, with manure and mulch only, after the blight that emptied many fields.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Kagoro Ginger Women is a group of 26 growers in southern Kaduna, led by Rifkatu Bature. The blight of 2023 took almost all they had. They
kept one clean hill plot and built their seed up again from it. The group works without chemical fertiliser or sprays.</p>
<h3>What the money buys</h3>
<ul>
<li>30 bags of inspected seed rhizome at ₦60,000 each: <strong>₦1,800,000</strong></li>
<li>200 bags of poultry manure at ₦1,500 each: <strong>₦300,000</strong></li>
<li>Grass mulch, cut and carried: <strong>₦180,000</strong></li>
<li>60 days of work to raise the beds at ₦6,000 each: <strong>₦360,000</strong></li>
<li>45 days of hand weeding at ₦6,000 each: <strong>₦270,000</strong></li>
<li>Neem cake and Trichoderma for the soil: <strong>₦140,000</strong></li>
<li>Organic inspection: <strong>₦90,000</strong></li>
<li>Kept aside for price rises: <strong>₦160,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Ginger is lifted after eight or nine months, from November on. We plan for 12 tonnes fresh from the hectare, or about 2.4 tonnes dried
and split. Backers may take their share fresh or dried, or have it sold at the Kafanchan market, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Blight comes back.</strong> Seed is hot-treated and inspected, beds are raised for drainage, and nobody enters from another
ginger field without washing boots. If a bed falls ill we dig it out whole.</li>
<li><strong>Heavy rain on the beds.</strong> Drains run every ten metres, and mulch keeps the soil from washing.</li>
<li><strong>Price at harvest.</strong> Dried ginger keeps for months. We sell in three parts, not all at once.</li>
</ul>`,
    location: "Kagoro, Kaduna",
    creator: "Kagoro Ginger Women",
    goalNaira: 3_300_000,
    durationDays: 50,
    startedDaysAgo: 37,
    isClosed: false,
    imageAlt:
      "A cut through red soil shows fat ginger roots below leafy ginger plants, with two farmers in the field behind.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Kagoro Ginger Women, and the farm's weekly updates.",
        quantity: null,
      },
      { title: "Dried ginger", amountNaira: 8_000, description: "One kilo of split, sun-dried ginger.", quantity: 60 },
      {
        title: "Seed for your garden",
        amountNaira: 25_000,
        description: "Five kilos of clean seed rhizome at planting time, with a page of advice.",
        quantity: 20,
      },
    ],
    updates: [
      {
        daysAgo: 3,
        title: "Seed store checked",
        content:
          "22 of the 30 bags are with us on loan from members. We turned them and threw out 9 kg with soft spots. That is under " +
          "1 in 100.",
      },
      {
        daysAgo: 10,
        title: "Manure price",
        content:
          "Poultry manure rose to ₦1,600 at the Jos road farms. We found 120 bags at ₦1,450 in Manchok. The plan still holds.",
      },
      {
        daysAgo: 17,
        title: "Test plot weighed",
        content:
          "We dug 10 square metres of last season's plot: 14.2 kg. That is a little above plan. No blight on the rhizomes.",
      },
      {
        daysAgo: 24,
        title: "First beds raised",
        content:
          "31 beds of 10 metres are raised and drained. That is about one in twenty of the hectare. Members gave the work, so no " +
          "wages were paid yet.",
      },
      {
        daysAgo: 31,
        title: "Soil cleared of old ginger",
        content:
          "We chose a field that had guinea corn for four years and no ginger. Even so we dug 15 test holes. No old rhizomes found.",
      },
    ],
    messages: [
      { daysAgo: 6, from: "backer", content: "Is it certified organic?" },
      {
        daysAgo: 25,
        from: "admin",
        content:
          "We are sorry for her. The seed is different: it comes from one plot that stayed clean for two seasons. The field has " +
          "no ginger history. The danger is smaller, not gone, and we say so under what can go wrong.",
      },
      { daysAgo: 26, from: "backer", content: "My aunt in Kwoi lost everything to the blight. What is different now?" },
    ],
    backers: 8,
  },
  {
    slug: "ugu-vegetable-beds",
    title: "Ugu and waterleaf beds in Umuahia",
    category: "organic",
    shortDescription:
      "Forty beds of ugu, waterleaf and scent leaf, cut every two weeks for the Ubani and Ndoro markets. No sprays.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Ngozi Okorie has cut vegetables for the Umuahia markets for fourteen years, now with her two grown children. They rent half a hectare
beside a stream, on the Ndume road. Leaves are cut at dawn and sold by eight.</p>
<h3>What the money buys</h3>
<ul>
<li>60 ugu pods for seed at ₦1,500 each: <strong>₦90,000</strong></li>
<li>Waterleaf and scent leaf cuttings: <strong>₦20,000</strong></li>
<li>50 bags of poultry manure at ₦1,500 each: <strong>₦75,000</strong></li>
<li>Small pump and hoses: <strong>₦95,000</strong></li>
<li>Stakes and twine: <strong>₦40,000</strong></li>
<li>8 days of weeding at ₦5,000 each: <strong>₦40,000</strong></li>
<li>Kept aside for price rises: <strong>₦20,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>The first cut comes five weeks after planting, then every two weeks for five months. Backers may take their share as fresh bundles in
Umuahia, or have it sold in the market the same morning, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Flooding beside the stream.</strong> The beds are 30 cm high, and the lowest ten are planted with waterleaf, which stands wet
feet.</li>
<li><strong>Leaf beetles.</strong> We pick by hand and dust with wood ash. Holes lower the price but not the weight.</li>
<li><strong>A glut in the rains.</strong> Prices fall by half. We stretch the cutting to three weeks and keep pods for seed.</li>
</ul>`,
    location: "Umuahia, Abia",
    creator: "Nne Ugu Gardens",
    goalNaira: 380_000,
    durationDays: 30,
    startedDaysAgo: 5,
    isClosed: false,
    imageAlt: "A woman waters raised beds of ugu leaves beside a bamboo trellis hung with ridged fluted pumpkins.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Nne Ugu Gardens, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Soup bundle",
        amountNaira: 3_000,
        description: "Ugu, waterleaf and scent leaf for one family pot, collected in Umuahia on a Saturday.",
        quantity: 30,
      },
    ],
    updates: [],
    messages: [],
    backers: 0,
  },
];
