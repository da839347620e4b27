import type { DemoFarm } from "./farm.ts";

export const organicForestAndHouseFarms: DemoFarm[] = [
  {
    slug: "forest-honey",
    title: "Forest honey from the Mambilla edge",
    category: "organic",
    shortDescription:
      "Forty new top-bar hives in the gallery forest near Gembu, so that honey is harvested without felling trees or fire.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Mambilla Beekeepers Association has 18 members around Gembu, at 1,600 metres. Most learned from their fathers, with log hives and smoke
torches. Yakubu Tanko trained eleven of them on top-bar hives. They run 35 now.</p>
<h3>What the money buys</h3>
<ul>
<li>40 top-bar hives at ₦18,000 each: <strong>₦720,000</strong></li>
<li>40 stands with ant guards at ₦1,000 each: <strong>₦40,000</strong></li>
<li>6 bee suits with gloves at ₦25,000 each: <strong>₦150,000</strong></li>
<li>Smokers, knives and buckets: <strong>₦60,000</strong></li>
<li>Stainless honey press: <strong>₦220,000</strong></li>
<li>Kept aside for price rises: <strong>₦60,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>There are two flows a year. A settled hive gives 8 to 12 kg a year, and not every hive is settled in the first season. We plan for 250 kg
from the 40. Backers may take their share in jars, or have it sold in Jalingo and Jos, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Empty hives.</strong> Swarms come when they like. Hives are baited with wax and moved after eight weeks if nobody moves in.</li>
<li><strong>Bush fire.</strong> Each hive stands in a cleared ring of five metres.</li>
<li><strong>Bad roads in the rains.</strong> Honey keeps. We carry it down to Jalingo when the road is open.</li>
</ul>`,
    location: "Gembu, Taraba",
    creator: "Mambilla Beekeepers Association",
    goalNaira: 1_250_000,
    durationDays: 45,
    startedDaysAgo: 27,
    isClosed: false,
    imageAlt:
      "A beekeeper in a veil holds a frame of honeycomb in a forest clearing, with painted hives, a hanging log hive and jars of honey.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Mambilla Beekeepers Association, and the farm's weekly updates.",
        quantity: null,
      },
      { title: "One jar", amountNaira: 7_000, description: "A 700 g jar of strained forest honey.", quantity: 80 },
      {
        title: "One hive named",
        amountNaira: 30_000,
        description: "Your name on a hive, its log sheet twice a year, and two jars.",
        quantity: 15,
      },
    ],
    updates: [
      {
        daysAgo: 6,
        title: "Harvest from the old hives",
        content:
          "We opened 14 of the 35 hives and left a third of the comb in each. 97 kg pressed. Water content is between 17 and 18 " +
          "per cent, so it will keep.",
      },
      {
        daysAgo: 13,
        title: "Carpenter chosen",
        content:
          "Three quotes for the hives: ₦17,500, ₦18,000 and ₦22,000. The cheapest used wet wood. We chose the second, from Nguroje.",
      },
      {
        daysAgo: 20,
        title: "Site walked",
        content:
          "We marked 40 places along two streams, each at least 300 metres from a house. The village head signed for the land use.",
      },
    ],
    messages: [
      {
        daysAgo: 14,
        from: "admin",
        content:
          "Each bucket has a slip with the hive numbers and the reading for water. You may send a jar to any laboratory, and we " +
          "will publish what it finds.",
      },
      { daysAgo: 15, from: "backer", content: "How do I know that it is not mixed with sugar?" },
    ],
    backers: 6,
  },
  {
    slug: "oyster-mushroom-house",
    title: "Oyster mushrooms in a bamboo house",
    category: "organic",
    shortDescription:
      "1,500 bags of sawdust substrate in a bamboo house at Moniya, cropped three times for hotels and markets in Ibadan.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Bodija Mushroom Growers are Sade Alabi, a microbiologist, and two partners. They have grown mushrooms at Moniya, north of Ibadan, for
three years in a house of 500 bags. Four hotels and a grocer buy from them each week.</p>
<h3>What the money buys</h3>
<ul>
<li>1,500 bags of sawdust and bran substrate at ₦220 each: <strong>₦330,000</strong></li>
<li>150 bottles of spawn at ₦1,200 each: <strong>₦180,000</strong></li>
<li>Bamboo house, shelves and shade net: <strong>₦190,000</strong></li>
<li>Steaming drums and gas: <strong>₦110,000</strong></li>
<li>Water tank and misting hose: <strong>₦65,000</strong></li>
<li>Packing trays: <strong>₦25,000</strong></li>
<li>Kept aside for price rises: <strong>₦50,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Bags bear five weeks after spawning and crop three times in about ten weeks. We plan for 450 g a bag in all. Backers may take their share
fresh or dried, or have it sold in Ibadan, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Green mould.</strong> Substrate is steamed for four hours. A bag with a green spot leaves the house at once. We plan for one bag
in ten lost.</li>
<li><strong>Heat.</strong> Above 30 degrees growth stops. Walls are wetted and the roof is double thatch.</li>
<li><strong>No buyer for one week.</strong> We dry what is not sold by evening. Ten kilos fresh make one kilo dry.</li>
</ul>`,
    location: "Ibadan, Oyo",
    creator: "Bodija Mushroom Growers",
    goalNaira: 950_000,
    durationDays: 30,
    startedDaysAgo: 75,
    isClosed: true,
    imageAlt:
      "A woman gathers white oyster mushrooms from hanging bags inside a thatched, timber-walled mushroom house.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Bodija Mushroom Growers, and the farm's weekly updates.",
        quantity: null,
      },
      { title: "Fresh tray", amountNaira: 4_000, description: "Two 250 g trays, collected in Bodija.", quantity: 50 },
      {
        title: "Grow at home",
        amountNaira: 15_000,
        description: "Three ready bags with a spray bottle and a page of advice.",
        quantity: 20,
      },
    ],
    updates: [
      {
        daysAgo: 5,
        title: "Last crop, and the sums so far",
        content:
          "Third crop: 121 kg. The three crops together: 588 kg from 1,341 good bags, or 438 g a bag. That is just under plan. " +
          "408 kg sold fresh at ₦2,600 on average, 180 kg dried.",
      },
      {
        daysAgo: 12,
        title: "Third crop starting",
        content: "Pins show on about half of the bags. We soaked all of them overnight. Water use is 600 litres a day.",
      },
      {
        daysAgo: 19,
        title: "Second crop: 205 kg",
        content: "Best days gave 31 kg. One hotel cut its order by half, so we dried 46 kg.",
      },
      {
        daysAgo: 26,
        title: "A hot week",
        content:
          "33 degrees inside on three afternoons. Growth stopped for two days. We added wet sacks on the west wall, and it came " +
          "down to 29.",
      },
      {
        daysAgo: 33,
        title: "First crop: 262 kg",
        content:
          "Sold at ₦2,500 to ₦2,800 a kilo. The grocer asked for smaller packs, so we bought 200 trays of 150 g.",
      },
      {
        daysAgo: 40,
        title: "Mould count",
        content:
          "159 bags thrown out so far, 10.6 per cent. That is a little more than planned. Most came from one steaming day when " +
          "the gas ran out early.",
      },
      {
        daysAgo: 47,
        title: "Bags are white",
        content: "1,410 bags are fully grown through. We moved the first 600 to the cropping side.",
      },
    ],
    messages: [
      { daysAgo: 3, from: "backer", content: "I took mine dried. They arrived well packed, thank you." },
      {
        daysAgo: 41,
        from: "admin",
        content:
          "For sawdust, yes. We planned for one in ten. The bad steaming day made it worse, and we now keep a spare gas bottle.",
      },
      { daysAgo: 42, from: "backer", content: "Ten per cent lost sounds like much. Is that normal?" },
    ],
    backers: 5,
  },
];
