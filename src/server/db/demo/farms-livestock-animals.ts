import type { DemoFarm } from "./farm.ts";

export const livestockAnimalsFarms: DemoFarm[] = [
  {
    slug: "goat-herd",
    title: "A breeding herd of red goats",
    category: "livestock",
    shortDescription:
      "Twenty-five does and two bucks of the Sokoto red, with a shed and fodder for the dry months, kept by six families.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Dutsen Awaki Herders are six families near Birnin Kudu. Malam Idris Yakubu leads them. They own 60 goats together, and each family would
keep four or five of the new does. A para-vet lives in the village.</p>
<h3>What the money buys</h3>
<ul>
<li>25 young does at ₦75,000 each: <strong>₦1,875,000</strong></li>
<li>2 bucks at ₦110,000 each: <strong>₦220,000</strong></li>
<li>Vaccine against goat plague and worm drench: <strong>₦95,000</strong></li>
<li>Night shed and fence: <strong>₦380,000</strong></li>
<li>60 bundles of groundnut hay at ₦3,500 each: <strong>₦210,000</strong></li>
<li>Kept aside for price rises: <strong>₦170,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>A doe kids about three times in two years, often twins. Males are sold at ten to twelve months, most before Sallah. Backers may take
their share as live goats, or have them sold at the Sara or Maigatari market, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Goat plague (PPR).</strong> All animals are vaccinated on arrival and every year. New ones stay apart for three weeks.</li>
<li><strong>Hunger before the rains.</strong> Hay is bought at groundnut harvest, when it is cheap, and kept on a raised rack.</li>
<li><strong>Theft and straying.</strong> Ear tags, a shared herdsman by day, and a locked shed at night.</li>
</ul>`,
    location: "Birnin Kudu, Jigawa",
    creator: "Dutsen Awaki Herders",
    goalNaira: 2_950_000,
    durationDays: 60,
    startedDaysAgo: 20,
    isClosed: false,
    imageAlt:
      "A herder with a staff and straw hat stands with his brown, white and black goats on savanna grass before a huge low sun.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Dutsen Awaki Herders, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Five kilos of goat meat",
        amountNaira: 15_000,
        description: "Fresh, on a market day you choose after the first sales.",
        quantity: 30,
      },
    ],
    updates: [
      {
        daysAgo: 6,
        title: "Three markets visited",
        content:
          "Does cost ₦68,000 in Sara, ₦77,000 in Maigatari and ₦74,000 in Gujungu. The ones in Sara were thin. We keep ₦75,000 " +
          "in the plan.",
      },
      {
        daysAgo: 13,
        title: "Shed posts in place",
        content:
          "The families dug in 22 posts of neem wood on their own account. Roof and fence wait for the campaign.",
      },
    ],
    messages: [
      {
        daysAgo: 10,
        from: "admin",
        content:
          "No. We asked one insurer, and the price was a fifth of the animals' value each year. We spend on vaccine and a " +
          "herdsman instead. If a goat dies you read it in the next report.",
      },
      { daysAgo: 11, from: "backer", content: "Are the goats insured?" },
    ],
    backers: 5,
  },
  {
    slug: "dairy-cows",
    title: "Five dairy cows on the plateau",
    category: "livestock",
    shortDescription:
      "Five in-calf crossbred heifers with a milking floor and fodder, on cool highland pasture a short drive from Jos.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Vwang Dairy Cooperative has 17 members around Vom, at 1,270 metres. Dung Pam Gyang, a retired livestock officer, is the manager. They
milk 22 cows and sell to a yoghurt maker in Bukuru every morning.</p>
<h3>What the money buys</h3>
<ul>
<li>5 in-calf heifers (Friesian crossed with Bunaji) at ₦1,350,000 each: <strong>₦6,750,000</strong></li>
<li>Shed and concrete milking floor: <strong>₦980,000</strong></li>
<li>Chaff cutter for Napier grass: <strong>₦350,000</strong></li>
<li>60 bags of dairy concentrate at ₦18,500 each: <strong>₦1,110,000</strong></li>
<li>6 milk cans at ₦28,000 each: <strong>₦168,000</strong></li>
<li>Vaccines, tick dip and a vet's visits: <strong>₦110,000</strong></li>
<li>Kept aside for price rises: <strong>₦332,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>A cow milks for about ten months after calving. We plan for 9 litres a day from each. Every month backers may take their share as milk or
yoghurt in Jos, or have it sold, less the platform fee. Calves stay with the cooperative.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>A heifer dies or loses her calf.</strong> A vet checks each one before we pay. The seller replaces an animal that is lost in the
first 30 days.</li>
<li><strong>Ticks and tick fever.</strong> Animals are dipped every week in the rains, every second week in the dry months.</li>
<li><strong>Dry-season grass.</strong> One hectare of Napier is planted, and we make silage in October.</li>
</ul>`,
    location: "Vom, Plateau",
    creator: "Vwang Dairy Cooperative",
    goalNaira: 9_800_000,
    durationDays: 60,
    startedDaysAgo: 32,
    isClosed: false,
    imageAlt:
      "A dairyman with a pail steadies a black-and-white long-horned cow on a misty green pasture, with milk churns beside him.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Vwang Dairy Cooperative, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Yoghurt for a family",
        amountNaira: 5_000,
        description: "Four litres of plain yoghurt, collected in Jos.",
        quantity: 80,
      },
      {
        title: "Name a calf",
        amountNaira: 50_000,
        description: "You name a calf, and get its photo every quarter for a year.",
        quantity: 10,
      },
    ],
    updates: [
      {
        daysAgo: 5,
        title: "Milk this week: 1,118 litres",
        content:
          "19 cows in milk, 8.4 litres a day each. The yoghurt maker pays ₦620 a litre since Monday, up from ₦600.",
      },
      {
        daysAgo: 12,
        title: "Heifers seen at Vom",
        content:
          "We looked at eleven heifers at the institute's farm. Seven passed the vet's check. Five are four to six months in calf.",
      },
      {
        daysAgo: 19,
        title: "Napier cut",
        content:
          "First cut of the new hectare: about 9 tonnes green. It feeds the herd for two weeks with crop residue.",
      },
      {
        daysAgo: 26,
        title: "One cow lame",
        content:
          "Cow 14 had a stone in the hoof. She was treated, and her milk was thrown away for three days. Total milk: 1,064 litres.",
      },
    ],
    messages: [
      {
        daysAgo: 13,
        from: "admin",
        content:
          "It has been calm in Vwang this year. Animals are kept in at night, and the cooperative works with the community " +
          "watch. We can't promise more than that.",
      },
      { daysAgo: 15, from: "backer", content: "Is the area safe at present?" },
      {
        daysAgo: 27,
        from: "admin",
        content:
          "A local cow gives 1 to 2 litres a day. These crosses give 8 to 12, and they are in calf. The vet's papers come with " +
          "each one.",
      },
      { daysAgo: 28, from: "backer", content: "Why ₦1,350,000 for one animal? A cow here costs half of that." },
    ],
    backers: 10,
  },
];
