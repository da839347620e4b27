import type { DemoFarm } from "./farm.ts";

export const sustainableFieldFarms: DemoFarm[] = [
  {
    slug: "solar-tomato-greenhouse",
    title: "Solar tomato greenhouse at Kadawa",
    category: "sustainable",
    shortDescription:
      "A second greenhouse with a solar pump, so that 1,000 tomato plants can bear through the hot months when open fields fail.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Kadawa Growers Cooperative has 31 members on the Kano River irrigation scheme, an hour south of Kano city. Hauwa Danladi manages the
greenhouse work. The first house has stood since last year and gives about 90 kg a week in full bearing.</p>
<h3>What the money buys</h3>
<ul>
<li>Frame, film and insect net for a house of 8 by 24 metres: <strong>₦1,650,000</strong></li>
<li>Solar pump with four panels: <strong>₦780,000</strong></li>
<li>Tank of 5,000 litres and drip lines: <strong>₦420,000</strong></li>
<li>1,000 hybrid seedlings at ₦120 each: <strong>₦120,000</strong></li>
<li>Fertiliser and traps for pests: <strong>₦210,000</strong></li>
<li>12 months of wages (two workers for six months) at ₦70,000 each: <strong>₦840,000</strong></li>
<li>Kept aside for price rises: <strong>₦180,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Picking starts about ten weeks after planting and goes on for four months. We plan for 4 kg a plant. Backers may take their share as
fresh tomatoes, in crates at our gate or sent to Kano, or have it sold at the Kadawa market, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Leaf miner (Tuta absoluta).</strong> It took most open-field tomatoes here in bad years. We use a double door, fine net and
pheromone traps, and pull out sick plants the same day.</li>
<li><strong>Low prices at the glut.</strong> Field tomatoes flood the market early in the year. We plant so that most of our picking comes
after it.</li>
<li><strong>Torn film in a storm.</strong> The frame is anchored in concrete. Spare film for one side is in the budget.</li>
</ul>`,
    location: "Kadawa, Kano",
    creator: "Kadawa Growers Cooperative",
    goalNaira: 4_200_000,
    durationDays: 60,
    startedDaysAgo: 41,
    isClosed: false,
    imageAlt:
      "A woman carries a crate of ripe tomatoes between solar panels and an arched greenhouse full of tomato vines, in the morning sun.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Kadawa Growers Cooperative, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Basket of tomatoes",
        amountNaira: 7_500,
        description: "One 10 kg raffia basket, picked ripe, collected at the farm or in Kano city.",
        quantity: 40,
      },
      {
        title: "A day at the greenhouse",
        amountNaira: 40_000,
        description: "A guided visit for two with lunch, and a basket to take home.",
        quantity: 10,
      },
    ],
    updates: [
      {
        daysAgo: 2,
        title: "House one: 94 kg this week",
        content:
          "We picked 94 kg from house one, the best week so far. The price at Kadawa was ₦720 a kilo. Two plants with wilt were " +
          "pulled out and burnt.",
      },
      {
        daysAgo: 9,
        title: "Seedlings ordered for the new house",
        content:
          "The nursery at Kura holds 1,000 seedlings for us for three weeks. They are 12 days old and even. The site for the new " +
          "house is levelled and the string lines are set.",
      },
      {
        daysAgo: 16,
        title: "Pump test",
        content:
          "We lent the pump of house one to test the new borehole: 3.1 cubic metres an hour at midday, 1.9 at four in the " +
          "afternoon. That is enough for both houses with the tank.",
      },
      {
        daysAgo: 23,
        title: "Traps checked",
        content:
          "11 leaf miner moths in eight traps this week, down from 19. No mines found on the leaves. Picking: 86 kg, sold at " +
          "₦680 a kilo.",
      },
      {
        daysAgo: 30,
        title: "Hot week, slower picking",
        content:
          "Inside the house it reached 41 degrees on two afternoons, and some flowers dropped. We opened the side vents earlier " +
          "and hung shade cloth on the west side. Picking fell to 71 kg.",
      },
      {
        daysAgo: 37,
        title: "Where house one stands",
        content:
          "480 plants, 9 lost since planting. 82 kg picked this week. We sold 70 kg at ₦650 and shared 12 kg of cracked fruit " +
          "among the workers.",
      },
    ],
    messages: [
      {
        daysAgo: 11,
        from: "admin",
        content:
          "Not by us yet. We can hand it to a driver at the Kano motor park if you pay the fare, but ripe tomatoes bruise on " +
          "that road. Most people have theirs sold.",
      },
      { daysAgo: 12, from: "backer", content: "Can my share be sent to Abuja?" },
      {
        daysAgo: 32,
        from: "admin",
        content:
          "In the cool season we do. From March on, heat and leaf miner take so much that many growers here stop. The house is " +
          "for those months, when the price is also better.",
      },
      { daysAgo: 33, from: "backer", content: "Why not plant in the open field? It costs far less." },
    ],
    backers: 9,
  },
  {
    slug: "drip-irrigated-maize",
    title: "Dry-season maize on drip lines",
    category: "sustainable",
    shortDescription:
      "Two hectares of maize below the Dadin Kowa dam, watered drop by drop, for a harvest when most barns are empty.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Garba Brothers Farms is run by the brothers Sani and Bello Garba on family land below the Dadin Kowa dam. They have grown rain-fed maize
for eleven years and tried drip lines on a quarter hectare last season. That plot gave 1.1 tonnes.</p>
<h3>What the money buys</h3>
<ul>
<li>2 hectares of drip tape with filters and joints at ₦480,000 each: <strong>₦960,000</strong></li>
<li>Pump and delivery pipe from the canal: <strong>₦340,000</strong></li>
<li>50 kilos of hybrid seed at ₦3,200 each: <strong>₦160,000</strong></li>
<li>8 bags of NPK at ₦52,000 each: <strong>₦416,000</strong></li>
<li>6 bags of urea at ₦42,000 each: <strong>₦252,000</strong></li>
<li>Ploughing, weeding and harvest labour: <strong>₦220,000</strong></li>
<li>Kept aside for price rises: <strong>₦102,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>The maize stands about 110 days. We plan for 7 to 8 tonnes of dry grain from two hectares. Backers may take their share in 100 kg bags,
or have it sold to the feed mill in Gombe, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Fall armyworm.</strong> We walk the rows twice a week and spray only where more than one plant in five is hit.</li>
<li><strong>Low water in the canal.</strong> Drip needs about half the water of furrows. We hold an allocation letter from the scheme for
three days a week.</li>
<li><strong>Blocked lines.</strong> Filters are washed daily and the lines flushed each Friday.</li>
</ul>`,
    location: "Dadin Kowa, Gombe",
    creator: "Garba Brothers Farms",
    goalNaira: 2_450_000,
    durationDays: 45,
    startedDaysAgo: 12,
    isClosed: false,
    imageAlt:
      "A farmer stands among long rows of maize on red soil; drip lines let water fall by the roots, and a water tank stands behind.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Garba Brothers Farms, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Bag of fresh maize",
        amountNaira: 10_000,
        description: "Fifty green cobs at the roasting stage, collected at the farm.",
        quantity: 30,
      },
    ],
    updates: [
      {
        daysAgo: 5,
        title: "Canal day and soil test",
        content:
          "The scheme opened our gate on time and the flow was good. Soil results came back: pH 6.2, low in nitrogen, enough " +
          "potash. We moved one bag from NPK to urea in the plan.",
      },
    ],
    messages: [
      {
        daysAgo: 7,
        from: "admin",
        content:
          "It is rolled up and used again. The makers say five seasons. We expect three, because of rats and sun.",
      },
      { daysAgo: 8, from: "backer", content: "What becomes of the drip tape after the season?" },
    ],
    backers: 4,
  },
];
