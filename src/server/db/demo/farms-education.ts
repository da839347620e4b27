import type { DemoFarm } from "./farm.ts";

export const educationFarms: DemoFarm[] = [
  {
    slug: "farm-school-classroom",
    title: "A classroom for the Calabar farm school",
    category: "education",
    shortDescription:
      "One classroom of blocks with 30 desks, beside the teaching plots where school leavers learn cocoyam, plantain and fish.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Akai Efa Farm School teaches 58 young people a year, in one open shed. Mrs Arit Bassey, a teacher for 26 years, is its head. Lessons stop
when it rains, and in Calabar it rains a great deal.</p>
<h3>What the money buys</h3>
<ul>
<li>1,800 sandcrete blocks at ₦650 each: <strong>₦1,170,000</strong></li>
<li>120 bags of cement at ₦10,500 each: <strong>₦1,260,000</strong></li>
<li>Roof timber and long-span sheets: <strong>₦1,080,000</strong></li>
<li>30 desks with bench at ₦18,000 each: <strong>₦540,000</strong></li>
<li>Tools and seed for the teaching plots: <strong>₦210,000</strong></li>
<li>Boards and books: <strong>₦160,000</strong></li>
<li>Kept aside for price rises: <strong>₦180,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>A school gives no crop of its own, but its plots do. For two years backers may take their share of cocoyam, plantain and fish from the
teaching plots, or have it sold, less the platform fee. It is small: we plan for ₦600,000 a year in all.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Building costs rise.</strong> Blocks and cement are bought in the first week. If roof sheets rise beyond the money kept aside,
the ceiling waits.</li>
<li><strong>Rain during the work.</strong> Walls go up behind a tarpaulin, and roofing is set for a dry fortnight.</li>
<li><strong>Poor plots.</strong> Pupils learn by mistakes. We count on two thirds of what a farmer would take.</li>
</ul>`,
    location: "Calabar, Cross River",
    creator: "Akai Efa Farm School",
    goalNaira: 4_600_000,
    durationDays: 60,
    startedDaysAgo: 95,
    isClosed: true,
    imageAlt:
      "A teacher points to a drawing of a plant's roots and leaves on the blackboard while a class of young farmers watches.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Akai Efa Farm School, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Pupil's letter",
        amountNaira: 10_000,
        description: "A letter from a pupil at the end of the term, with a photo of the plot.",
        quantity: 60,
      },
      {
        title: "A desk with your name",
        amountNaira: 75_000,
        description: "A small brass plate on one desk.",
        quantity: 12,
      },
    ],
    updates: [
      {
        daysAgo: 8,
        title: "First lessons under the roof",
        content: "31 pupils sat in the new room on Monday. It rained from ten to two, and nobody moved. Thank you.",
      },
      {
        daysAgo: 22,
        title: "Desks came",
        content:
          "30 desks from the carpenter at Watt market. Two had a loose leg, and he mended them the same day. The floor is dry.",
      },
      {
        daysAgo: 36,
        title: "Roof closed",
        content:
          "Sheets cost ₦46,000 more than planned, paid from the money kept aside. Four days of work, one day lost to rain.",
      },
      {
        daysAgo: 50,
        title: "Walls at lintel height",
        content: "1,610 blocks laid, 34 broken. The pupils carried sand in the afternoons and learned to mix mortar.",
      },
      {
        daysAgo: 64,
        title: "Foundation",
        content:
          "42 metres of trench, 60 cm deep. We hit soft ground at the east corner and went down to 90 cm. 38 bags of cement used.",
      },
    ],
    messages: [
      {
        daysAgo: 57,
        from: "admin",
        content:
          "The mason put in a wider footing with iron there. We will look at it after the next rains, and report.",
      },
      { daysAgo: 58, from: "backer", content: "Will the soft corner crack later?" },
    ],
    backers: 8,
  },
  {
    slug: "youth-poultry-training",
    title: "Twenty young poultry keepers",
    category: "education",
    shortDescription:
      "Twenty school leavers raise 20 broilers each in eight weeks of training, and keep part of the sales to start on their own.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Ekiti Young Farmers Network trains people between 18 and 26. Dr Bolaji Afolabi, a vet, teaches two sessions a month with a farm manager
from Ikere. Of the last group of 15, nine keep birds today.</p>
<h3>What the money buys</h3>
<ul>
<li>400 day-old chicks at ₦1,150 each: <strong>₦460,000</strong></li>
<li>60 bags of feed at ₦23,500 each: <strong>₦1,410,000</strong></li>
<li>20 small brooder boxes at ₦6,000 each: <strong>₦120,000</strong></li>
<li>8 teaching sessions at ₦25,000 each: <strong>₦200,000</strong></li>
<li>Vaccines and record books: <strong>₦70,000</strong></li>
<li>Kept aside for price rises: <strong>₦90,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Birds are sold at seven to eight weeks, about 2 kg live. Trainees keep a quarter of the sales. From the rest backers may take their share
as birds, live or dressed, or have it sold in Ado, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Beginners lose more birds.</strong> We plan for 88 in 100 alive, not 95. A trainer visits every pen twice a week.</li>
<li><strong>A trainee drops out.</strong> There is a waiting list of eleven. A box moves to the next one.</li>
<li><strong>Slow sales.</strong> A cold store in Ado holds 200 birds for a month at a fee.</li>
</ul>`,
    location: "Ado Ekiti, Ekiti",
    creator: "Ekiti Young Farmers Network",
    goalNaira: 2_350_000,
    durationDays: 45,
    startedDaysAgo: 18,
    isClosed: false,
    imageAlt:
      "A trainer holds up a chick while four young people watch around a brooder ring full of chicks under a heat lamp.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Ekiti Young Farmers Network, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "One dressed chicken",
        amountNaira: 11_000,
        description: "About 1.8 kg, collected in Ado Ekiti.",
        quantity: 40,
      },
    ],
    updates: [
      {
        daysAgo: 6,
        title: "Interviews held",
        content: "47 people came, and we chose 12 women and 8 men. All live within 9 km of a trainer.",
      },
      {
        daysAgo: 13,
        title: "Brooder boxes tested",
        content:
          "Three designs with charcoal pots were tried for two nights. The plywood box held 31 to 33 degrees with 1.4 kg of " +
          "charcoal a night, and is the cheapest.",
      },
    ],
    messages: [
      {
        daysAgo: 9,
        from: "admin",
        content:
          "The four who gave us figures made between ₦38,000 and ₦110,000 on their last batch. Two made a loss on their first one.",
      },
      { daysAgo: 10, from: "backer", content: "What do the nine from the last group earn?" },
    ],
    backers: 3,
  },
];
