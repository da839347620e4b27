import type { DemoFarm } from "./farm.ts";

export const livestockSmallFarms: DemoFarm[] = [
  {
    slug: "snail-pens",
    title: "Giant snails in shaded pens",
    category: "livestock",
    shortDescription:
      "Twenty more pens under plantain shade and 900 breeding snails, to supply buyers in Ijebu Ode, Sagamu and Lagos.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Igbin Oore Farm is run by Folake Adesanya and four workers on one hectare off the Epe road in Ijebu Ode. They keep 24 pens of the big
black snail, Archachatina marginata. They have sold to the same two Lagos buyers for three years.</p>
<h3>What the money buys</h3>
<ul>
<li>20 pens of block and wood with net lids at ₦22,000 each: <strong>₦440,000</strong></li>
<li>900 adult breeding snails at ₦700 each: <strong>₦630,000</strong></li>
<li>Feed and calcium for ten months: <strong>₦170,000</strong></li>
<li>Tank and sprinkler hose: <strong>₦80,000</strong></li>
<li>Sieved soil and leaf litter: <strong>₦90,000</strong></li>
<li>Kept aside for price rises: <strong>₦70,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>A breeding pair lays about ten eggs, two or three times in the rains. Hatchlings need ten to twelve months to table size, about 200 g.
Backers may take their share as live snails, in half-bags, or have it sold to our buyers, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Ants and rats.</strong> Each pen stands in a water channel, and lids are checked every evening.</li>
<li><strong>Dry season.</strong> Snails seal themselves in and stop growing. We sprinkle morning and night and keep the soil covered.</li>
<li><strong>Theft.</strong> There is a fence, a dog and a night watchman who lives on the farm.</li>
</ul>`,
    location: "Ijebu Ode, Ogun",
    creator: "Igbin Oore Farm",
    goalNaira: 1_480_000,
    durationDays: 60,
    startedDaysAgo: 47,
    isClosed: false,
    imageAlt: "Two farmers tend giant snails on fresh leaves in an open wooden pen, under banana plants.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Igbin Oore Farm, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "A dozen snails",
        amountNaira: 6_000,
        description: "Twelve table-size snails, cleaned, collected in Ijebu Ode or at Ojota.",
        quantity: 60,
      },
      {
        title: "Starter pen",
        amountNaira: 25_000,
        description: "Thirty young snails with a feeding guide for your own backyard.",
        quantity: 20,
      },
    ],
    updates: [
      {
        daysAgo: 4,
        title: "Eggs counted",
        content:
          "214 eggs in the six marked pens this week. We moved them to the hatching boxes. Soil is moist to 5 cm.",
      },
      {
        daysAgo: 11,
        title: "Weights at eight months",
        content:
          "We weighed 50 snails from pens 9 to 14: 141 g on average, the smallest 96 g, the largest 188 g. They were 127 g four " +
          "weeks ago.",
      },
      {
        daysAgo: 18,
        title: "Ant attack in pen 17",
        content:
          "Ants got in across a fallen leaf. We lost 23 young snails. The channel is widened, and we now trim the plantain " +
          "leaves every Monday.",
      },
      {
        daysAgo: 25,
        title: "Feed week",
        content:
          "We fed 62 kg of pawpaw leaf, cassava leaf and ripe plantain skins. Most of it is free from the market. Ground oyster " +
          "shell: 3 kg at ₦900.",
      },
      {
        daysAgo: 32,
        title: "Sale to Ojota",
        content:
          "410 snails sold at ₦950 each for the large and ₦700 for the medium. Four were dead on arrival, and the buyer did not " +
          "count them.",
      },
      {
        daysAgo: 39,
        title: "New pen lines marked",
        content:
          "The ground for 20 pens is cleared and marked. We kept six plantain stools for shade. Blocks are quoted at ₦620 each.",
      },
      {
        daysAgo: 46,
        title: "Where we start from",
        content:
          "24 pens hold 3,060 snails: 640 breeders, 1,180 growers and 1,240 young. 38 died last month, a little over 1 in 100.",
      },
    ],
    messages: [
      { daysAgo: 7, from: "backer", content: "May I come on a Saturday with my children?" },
      {
        daysAgo: 15,
        from: "admin",
        content:
          "Those snails were the farm's own stock. In a backed pen such a loss lowers the harvest, and you would read it in the " +
          "weekly report.",
      },
      { daysAgo: 16, from: "backer", content: "I read about the ants in pen 17. Who bears that loss?" },
      {
        daysAgo: 29,
        from: "admin",
        content:
          "This kind grows slowly. At six months it weighs about 100 g, and the market pays little for that. At 200 g the price " +
          "doubles.",
      },
      { daysAgo: 30, from: "backer", content: "Why do they need a whole year?" },
      {
        daysAgo: 43,
        from: "admin",
        content: "No. You may collect at the farm or at Ojota, or let us sell them for you. You choose at harvest.",
      },
      { daysAgo: 44, from: "backer", content: "Do I have to collect the snails myself?" },
    ],
    backers: 14,
  },
  {
    slug: "rabbit-hutches",
    title: "Rabbit hutches behind the house",
    category: "livestock",
    shortDescription:
      "Sixteen wooden hutches with 24 does and four bucks, for fresh meat sold to restaurants in Owerri every month.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Orji Rabbit Keepers are Emeka and Adaeze Nwachukwu. They started with three does in 2022 and now keep eleven. Two restaurants on Wetheral
Road buy all that they have, and ask for more.</p>
<h3>What the money buys</h3>
<ul>
<li>16 two-deck hutches at ₦15,000 each: <strong>₦240,000</strong></li>
<li>24 young does at ₦8,000 each: <strong>₦192,000</strong></li>
<li>4 bucks at ₦8,500 each: <strong>₦34,000</strong></li>
<li>10 bags of pellets at ₦12,000 each: <strong>₦120,000</strong></li>
<li>Kept aside for price rises: <strong>₦34,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>A doe gives about six kits, five times a year. They are sold at twelve to fourteen weeks, about 2 kg live. Backers may take their share
dressed, or have it sold to the restaurants, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Heat.</strong> Hutches stand under mango shade with a raised roof. Bucks can become barren for weeks above 33 degrees.</li>
<li><strong>Runny stomach in kits.</strong> No wet grass, clean water twice a day, and weaning not before five weeks.</li>
</ul>`,
    location: "Owerri, Imo",
    creator: "Orji Rabbit Keepers",
    goalNaira: 620_000,
    durationDays: 30,
    startedDaysAgo: 9,
    isClosed: false,
    imageAlt:
      "A young man feeds greens to white, brown and grey rabbits in a two-storey wooden hutch under a blue roof.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Orji Rabbit Keepers, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "One dressed rabbit",
        amountNaira: 9_000,
        description: "About 1.2 kg, cleaned and chilled, collected in Owerri.",
        quantity: 30,
      },
    ],
    updates: [
      {
        daysAgo: 3,
        title: "Litters this week",
        content:
          "Two does kindled, 6 and 8 kits. One kit was dead. Fourteen of last month's seventeen are alive, and weigh 640 g at " +
          "five weeks.",
      },
    ],
    messages: [{ daysAgo: 5, from: "backer", content: "What do you do with the skins?" }],
    backers: 2,
  },
];
