import type { DemoFarm } from "./farm.ts";

export const sustainableTreesFarms: DemoFarm[] = [
  {
    slug: "cashew-agroforestry",
    title: "Cashew trees with groundnut between",
    category: "sustainable",
    shortDescription:
      "Five hectares of grafted cashew at wide spacing, with groundnut between the young trees to pay for the first years.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Ojochenemi Farmers Group is nine families near Anyigba, in the cashew belt of Kogi. Ocholi Ameh keeps the books and the nursery. Their
older trees are unimproved and bear small nuts. The grafted ones come from a nursery we have visited.</p>
<h3>What the money buys</h3>
<ul>
<li>500 grafted cashew seedlings at ₦1,200 each: <strong>₦600,000</strong></li>
<li>500 staked planting holes at ₦400 each: <strong>₦200,000</strong></li>
<li>150 kilos of groundnut seed at ₦2,000 each: <strong>₦300,000</strong></li>
<li>Fence on the road side and a firebreak: <strong>₦280,000</strong></li>
<li>10 rounds of weeding by the hectare at ₦32,000 each: <strong>₦320,000</strong></li>
<li>Kept aside for price rises: <strong>₦150,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Groundnut comes in after four months. Cashew bears a little in the third year and fully from the seventh. This campaign covers the first
groundnut crop: backers may take their share in bags, or have it sold at Anyigba, less the platform fee. Cashew nuts are a later campaign,
and we promise nothing about them here.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Fire in the dry months.</strong> A six-metre firebreak is cleared before the harmattan, and the families take turns to
watch.</li>
<li><strong>Cattle on young trees.</strong> We agreed the crossing route with the herders and fence the road side.</li>
<li><strong>Late rain.</strong> Groundnut is sown only after 30 mm has fallen within a week.</li>
</ul>`,
    location: "Anyigba, Kogi",
    creator: "Ojochenemi Farmers Group",
    goalNaira: 1_850_000,
    durationDays: 60,
    startedDaysAgo: 16,
    isClosed: false,
    imageAlt:
      "A farmer reaches up to a large cashew tree heavy with red and yellow fruit, above rows of groundnuts at golden hour.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Ojochenemi Farmers Group, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Roasted nuts",
        amountNaira: 6_000,
        description: "Two kilos of roasted cashew from the group's old trees.",
        quantity: 50,
      },
      {
        title: "A tree with your name",
        amountNaira: 20_000,
        description: "A name tag on one tree and a photo each year for three years.",
        quantity: 25,
      },
    ],
    updates: [
      {
        daysAgo: 4,
        title: "Firebreak half done",
        content:
          "640 of 1,300 metres are cleared. Twelve people worked four mornings. We found two beehives and left that corner alone.",
      },
      {
        daysAgo: 11,
        title: "Seedlings seen",
        content:
          "We counted 620 seedlings at the nursery. The graft unions are clean on nearly all of them. We will take the 500 " +
          "tallest, about 45 cm.",
      },
    ],
    messages: [
      {
        daysAgo: 8,
        from: "admin",
        content: "No. The trees belong to the families. You share in the groundnut of this season only.",
      },
      { daysAgo: 9, from: "backer", content: "Do backers get a part of the trees later on?" },
    ],
    backers: 3,
  },
  {
    slug: "cocoa-under-shade",
    title: "Old cocoa renewed under shade",
    category: "sustainable",
    shortDescription:
      "Three tired hectares below the Idanre hills, replanted gap by gap with better cocoa under plantain and shade trees.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Idanre Hills Cocoa Union has 44 members. The three hectares belong to Pa Akinola Fagbemi and his daughters, who have farmed cocoa there
since 1979. Half of the trees no longer pay for their weeding.</p>
<h3>What the money buys</h3>
<ul>
<li>1,200 cocoa seedlings from the research institute in Ibadan at ₦500 each: <strong>₦600,000</strong></li>
<li>600 plantain suckers at ₦400 each: <strong>₦240,000</strong></li>
<li>90 shade trees at ₦1,500 each: <strong>₦135,000</strong></li>
<li>40 days of pruning by a trained gang at ₦9,000 each: <strong>₦360,000</strong></li>
<li>40 packs of copper fungicide at ₦12,000 each: <strong>₦480,000</strong></li>
<li>2 knapsack sprayers at ₦65,000 each: <strong>₦130,000</strong></li>
<li>Fermentation boxes and raised drying racks: <strong>₦420,000</strong></li>
<li>Weeding for one year: <strong>₦240,000</strong></li>
<li>Kept aside for price rises: <strong>₦195,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>The pruned old trees bear in the main crop from September. New trees need three years. Backers may take their share as dried beans in 62
kg bags, or have it sold to the union's buyer in Akure, less the platform fee. Plantain is shared in the same way.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Black pod in a wet year.</strong> We spray every three weeks in the rains, and pick sick pods off every week.</li>
<li><strong>Seedlings dying in the first dry season.</strong> Plantain goes in first for shade. One in ten seedlings is kept back to fill
gaps.</li>
<li><strong>Price of beans.</strong> It moves with the world market. We show you the buyer's slip for every sale.</li>
</ul>`,
    location: "Idanre, Ondo",
    creator: "Idanre Hills Cocoa Union",
    goalNaira: 2_800_000,
    durationDays: 60,
    startedDaysAgo: 120,
    isClosed: true,
    imageAlt:
      "A woman holds a yellow cocoa pod beside a cocoa tree hung with ripe pods, in the shade of tall forest trees.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Idanre Hills Cocoa Union, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Drinking chocolate",
        amountNaira: 9_000,
        description: "Half a kilo of cocoa powder ground from our beans.",
        quantity: 60,
      },
      {
        title: "A walk in the hills",
        amountNaira: 60_000,
        description: "A night in Idanre, a walk through the farm, and beans to roast at home.",
        quantity: 8,
      },
    ],
    updates: [
      {
        daysAgo: 6,
        title: "First beans on the racks",
        content:
          "148 kg of wet beans went into the boxes after the first picking. They were turned on day two and day four, and are " +
          "now on the racks. We expect about 55 kg dry.",
      },
      {
        daysAgo: 20,
        title: "Black pod count",
        content:
          "7 sick pods in every 100, against 19 at the same time last year by Pa Fagbemi's notebook. Three rounds of copper are " +
          "done. Rainfall was 61 mm in the last fortnight.",
      },
      {
        daysAgo: 41,
        title: "Seedlings after six weeks",
        content:
          "1,138 of 1,200 stand. 62 died, most of them on the stony top corner. We replanted 60 from the reserve and put down " +
          "more mulch.",
      },
      {
        daysAgo: 62,
        title: "Cocoa seedlings planted",
        content:
          "All 1,200 are in, at three metres. The ground was wet to 30 cm. Two people did not come on the second day, so it took " +
          "five days instead of four.",
      },
      {
        daysAgo: 83,
        title: "Plantain in, prices noted",
        content:
          "600 suckers are planted. We paid ₦400 each as planned. Fungicide went up to ₦13,500 a pack, so ₦60,000 of the money " +
          "kept aside is used.",
      },
      {
        daysAgo: 97,
        title: "Pruning finished",
        content:
          "The gang pruned 1,870 old trees in 38 days. Two days were lost to rain. Chupons and dead wood are off, and light " +
          "reaches the ground in patches.",
      },
    ],
    messages: [
      { daysAgo: 4, from: "backer", content: "Thank you for the photos of the drying racks." },
      {
        daysAgo: 43,
        from: "admin",
        content:
          "We plan for 85 in 100 after the first dry season. Below 75 we would buy more from the money kept aside, and tell you.",
      },
      { daysAgo: 44, from: "backer", content: "How many seedlings will survive, honestly?" },
      {
        daysAgo: 89,
        from: "admin",
        content:
          "In the first years it does, with a lot of fertiliser. Here the dry season is four months long and fertiliser is dear. " +
          "Shaded trees live longer and need less of both.",
      },
      { daysAgo: 90, from: "backer", content: "I thought cocoa gives more in full sun. Why keep the shade?" },
    ],
    backers: 12,
  },
];
