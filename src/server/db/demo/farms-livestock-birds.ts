import type { DemoFarm } from "./farm.ts";

export const livestockBirdsFarms: DemoFarm[] = [
  {
    slug: "layer-poultry",
    title: "500 layers near Ilorin",
    category: "livestock",
    shortDescription:
      "500 point-of-lay hens with nest boxes and eight weeks of feed, to supply eggs to bakeries and shops across Ilorin.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Asa River Poultry is a family farm at Eyenkorin, run by Rukayat Abdulkareem, who studied animal health in Ilorin. It keeps 1,200 layers.
Three bakeries take two thirds of the eggs.</p>
<h3>What the money buys</h3>
<ul>
<li>500 point-of-lay pullets (16 weeks old) at ₦5,200 each: <strong>₦2,600,000</strong></li>
<li>4 sets of nest boxes and feeders for 125 birds at ₦310,000 each: <strong>₦1,240,000</strong></li>
<li>130 bags of layers mash at ₦17,500 each: <strong>₦2,275,000</strong></li>
<li>Vaccines and a vet's visits: <strong>₦160,000</strong></li>
<li>Water line and nipples: <strong>₦140,000</strong></li>
<li>Kept aside for price rises: <strong>₦285,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Hens lay from week 20 and pay their way from week 24. We plan for 400 eggs a day at the peak, 13 crates. Every four weeks backers may
take their share in crates, or have it sold, less the platform fee. Old hens are sold at 80 weeks, and that money is shared too.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Bird flu and Newcastle.</strong> Birds are vaccinated on a written plan. Nobody enters without changing shoes. If disease is
confirmed, the law says that birds are destroyed, and little comes back.</li>
<li><strong>Maize price.</strong> Feed takes three quarters of the cost. We buy a month ahead.</li>
<li><strong>Heat.</strong> Above 34 degrees hens eat less. The roof is lined, and water gets vitamins in hot weeks.</li>
</ul>`,
    location: "Ilorin, Kwara",
    creator: "Asa River Poultry",
    goalNaira: 6_700_000,
    durationDays: 45,
    startedDaysAgo: 150,
    isClosed: true,
    imageAlt:
      "A woman carries a tray of eggs among brown hens, in front of a mesh-sided laying house with nest boxes and stacked egg trays.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Asa River Poultry, and the farm's weekly updates.",
        quantity: null,
      },
      { title: "One crate", amountNaira: 6_000, description: "Thirty eggs, collected in Ilorin.", quantity: 100 },
      {
        title: "A crate each month",
        amountNaira: 18_000,
        description: "One crate a month for three months.",
        quantity: 30,
      },
    ],
    updates: [
      {
        daysAgo: 3,
        title: "Week 33: 412 eggs a day",
        content:
          "487 hens are alive, 13 lost since they came. 412 eggs a day on average, 85 in 100 hens. Crates sold at ₦5,300. Feed: " +
          "16 bags.",
      },
      {
        daysAgo: 10,
        title: "Week 32",
        content: "406 eggs a day. Broken eggs: 1.8 in 100, since we put more straw in the nest boxes. One hen lost.",
      },
      {
        daysAgo: 24,
        title: "Week 30: first share paid or delivered",
        content:
          "61 crates went to backers who wanted eggs. The others had theirs sold at ₦5,250. The sale slips are with the " +
          "administrators.",
      },
      {
        daysAgo: 38,
        title: "Week 28: hot days",
        content:
          "37 degrees on four afternoons. Eggs fell from 388 to 351 a day. We moved feeding to six in the morning and five in " +
          "the evening.",
      },
      {
        daysAgo: 52,
        title: "Week 26",
        content:
          "379 eggs a day. Average weight 58 g. The vet found red mites in two nest boxes and treated all of them.",
      },
      {
        daysAgo: 66,
        title: "Week 24: paying their way",
        content: "318 eggs a day. This is the first week that the sales covered the feed: ₦372,000 against ₦283,000.",
      },
      {
        daysAgo: 80,
        title: "Week 22: small eggs",
        content: "146 eggs a day, most of them small. Sold at ₦4,300 a crate to a bakery that breaks them anyway.",
      },
      {
        daysAgo: 122,
        title: "The pullets have come",
        content:
          "500 pullets came from Ibadan in the night. 4 died on the road, and the hatchery sent 4 more. All were vaccinated " +
          "against Newcastle on arrival.",
      },
    ],
    messages: [
      { daysAgo: 29, from: "admin", content: "Not safely. For Lokoja we suggest that yours are sold with the rest." },
      { daysAgo: 30, from: "backer", content: "I live in Lokoja. Can you send eggs?" },
      {
        daysAgo: 117,
        from: "admin",
        content: "In our last two flocks 6 and 8 in 100, over the whole laying year. We report each week's deaths.",
      },
      { daysAgo: 118, from: "backer", content: "How many birds usually die in a year?" },
    ],
    backers: 11,
  },
  {
    slug: "broiler-house",
    title: "600 broilers for Nsukka markets",
    category: "livestock",
    shortDescription:
      "One batch of 600 broilers, from day-old chick to 2.3 kg in seven weeks, in a house that stands ready near Nsukka.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Ede-Oballa Poultry Cooperative has twelve members, six of them graduates of the university in Nsukka. Chidera Eze runs the house. They
have raised nine batches of 300 to 500 birds since 2023.</p>
<h3>What the money buys</h3>
<ul>
<li>600 day-old chicks at ₦1,150 each: <strong>₦690,000</strong></li>
<li>36 bags of starter feed at ₦24,000 each: <strong>₦864,000</strong></li>
<li>70 bags of finisher feed at ₦23,000 each: <strong>₦1,610,000</strong></li>
<li>Vaccines and vitamins: <strong>₦95,000</strong></li>
<li>Wood shavings, charcoal and lamps: <strong>₦130,000</strong></li>
<li>2 months of wages at ₦70,000 each: <strong>₦140,000</strong></li>
<li>Kept aside for price rises: <strong>₦151,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Birds are ready at seven weeks. We plan for 94 in 100 alive and 2.3 kg each. Backers may take their share live or dressed and frozen, or
have it sold in Nsukka and Enugu, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Deaths in the first week.</strong> Most losses come from cold. Two people sleep beside the brooder for seven nights.</li>
<li><strong>Gumboro and Newcastle.</strong> Vaccines are given on days 7, 10, 14 and 21 and kept on ice.</li>
<li><strong>A soft market.</strong> We aim away from the weeks right after Christmas and Easter. Frozen birds can wait two months.</li>
</ul>`,
    location: "Nsukka, Enugu",
    creator: "Ede-Oballa Poultry Cooperative",
    goalNaira: 3_680_000,
    durationDays: 30,
    startedDaysAgo: 70,
    isClosed: true,
    imageAlt:
      "A worker with a feed bucket walks through a long, airy house full of white broiler chickens, with hanging feeders and drinkers.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Ede-Oballa Poultry Cooperative, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "One dressed chicken",
        amountNaira: 12_000,
        description: "A frozen bird of about 2 kg, collected in Nsukka or Enugu.",
        quantity: 40,
      },
    ],
    updates: [
      {
        daysAgo: 9,
        title: "Sold",
        content:
          "570 birds sold or delivered, of 600. 118 went to backers dressed, 452 sold at ₦9,200 on average. Average live weight " +
          "2.28 kg. Feed: 104 bags.",
      },
      {
        daysAgo: 16,
        title: "Week 6: 1.92 kg",
        content: "574 birds alive. 1.92 kg on average from 30 weighed. 22 bags of finisher this week.",
      },
      {
        daysAgo: 23,
        title: "Week 5: 1.49 kg",
        content: "579 alive. Two nights without power, and we used lamps. No losses from it.",
      },
      {
        daysAgo: 30,
        title: "Week 4: coughing",
        content:
          "Some birds coughed. The vet from the teaching hospital saw them the same day: it was ammonia, not disease. We changed " +
          "the wet litter and opened the sides. 583 alive.",
      },
      {
        daysAgo: 37,
        title: "Week 2",
        content: "588 alive. 390 g on average. Gumboro and Newcastle vaccines given on time.",
      },
      {
        daysAgo: 48,
        title: "Chicks in",
        content:
          "600 chicks, and 12 extra from the hatchery. 17 died in the first three days, most of them weak on arrival. The " +
          "brooder holds 32 degrees.",
      },
    ],
    messages: [
      { daysAgo: 8, from: "backer", content: "My two birds were well packed and still frozen in Enugu. Thank you." },
      {
        daysAgo: 44,
        from: "admin",
        content:
          "It is a little above what we like. The hatchery sent 12 extra for that reason. After day five deaths fell to one " +
          "every two days.",
      },
      { daysAgo: 45, from: "backer", content: "Seventeen in three days, is that bad?" },
    ],
    backers: 7,
  },
  {
    slug: "turkey-range",
    title: "Turkeys on open range in Uyo",
    category: "livestock",
    shortDescription:
      "One hundred turkeys raised from six weeks old on fenced grass near Uyo, ready for the end-of-year market.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Ibesikpo Poultry Range belongs to Imaobong Udoh, who raised 40 turkeys last year and lost three. Her land is a hectare of old oil palm
with grass beneath, ten kilometres from Uyo.</p>
<h3>What the money buys</h3>
<ul>
<li>100 poults (six weeks old) at ₦8,500 each: <strong>₦850,000</strong></li>
<li>70 bags of feed at ₦20,500 each: <strong>₦1,435,000</strong></li>
<li>Wire fence and two night shelters: <strong>₦310,000</strong></li>
<li>Vaccines and worm drench: <strong>₦70,000</strong></li>
<li>Kept aside for price rises: <strong>₦135,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Turkeys weigh 7 to 9 kg at five months. We plan for 93 in 100 alive. Backers may take their share live or dressed, or have it sold in
Uyo, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Blackhead and fowl pox.</strong> Turkeys are kept away from chickens, moved to fresh grass each fortnight, and vaccinated.</li>
<li><strong>Missing the season.</strong> After New Year the price falls by a third. If we buy poults late we will say so, and aim for
Easter.</li>
<li><strong>Hawks and dogs.</strong> Birds are shut in at dusk, and a man sleeps on the farm.</li>
</ul>`,
    location: "Uyo, Akwa Ibom",
    creator: "Ibesikpo Poultry Range",
    goalNaira: 2_800_000,
    durationDays: 45,
    startedDaysAgo: 3,
    isClosed: false,
    imageAlt: "Turkeys with fanned tails roam a fenced range at dusk while a woman scatters grain.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Ibesikpo Poultry Range, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Half a turkey",
        amountNaira: 20_000,
        description: "About 3 kg dressed, collected in Uyo in the season.",
        quantity: 20,
      },
    ],
    updates: [],
    messages: [],
    backers: 0,
  },
];
