import type { DemoFarm } from "./farm.ts";

export const techFarms: DemoFarm[] = [
  {
    slug: "hydroponic-lettuce",
    title: "Lettuce in water channels at Kuje",
    category: "tech",
    shortDescription:
      "2,400 lettuce places in water channels under a cool tunnel, cut every week for salad buyers in Abuja city.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Green Pipe Farm was set up by Tersoo Iorkyaa and Amina Lawal, both agricultural engineers, on rented land in Kuje. Their trial of 300
places has run for fourteen months. Two supermarkets and a caterer buy the heads.</p>
<h3>What the money buys</h3>
<ul>
<li>2,400 planting places with channel and fittings at ₦550 each: <strong>₦1,320,000</strong></li>
<li>Tunnel, insect net and shade cloth: <strong>₦1,150,000</strong></li>
<li>Pump, tank, inverter and battery: <strong>₦690,000</strong></li>
<li>6 months of plant food at ₦55,000 each: <strong>₦330,000</strong></li>
<li>Seed and plugs: <strong>₦110,000</strong></li>
<li>Meters for acid and salt: <strong>₦145,000</strong></li>
<li>Kept aside for price rises: <strong>₦205,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Lettuce is cut five to six weeks after sowing, then every week. We plan for 400 heads a week once all places are full. Each month backers
may take their share as heads in Abuja, or have it sold, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Power cuts.</strong> The battery runs the pump for nine hours. Roots can stand 30 minutes without water, not more.</li>
<li><strong>Heat.</strong> Lettuce turns bitter above 32 degrees. The tank is buried and the tunnel shaded.</li>
<li><strong>Root rot.</strong> It spreads through the water. There are four separate lines, so that one can be closed and washed.</li>
</ul>`,
    location: "Kuje, Abuja FCT",
    creator: "Green Pipe Farm",
    goalNaira: 3_950_000,
    durationDays: 40,
    startedDaysAgo: 24,
    isClosed: false,
    imageAlt:
      "A grower with a tablet stands by three tiers of lettuce in white water channels, with a city skyline through the window.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Green Pipe Farm, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Salad bag",
        amountNaira: 5_000,
        description: "Four heads and a bunch of basil, collected in Wuse or Kuje.",
        quantity: 60,
      },
    ],
    updates: [
      {
        daysAgo: 4,
        title: "47 heads a week",
        content:
          "The 300 places gave 47 heads this week, 182 g on average. Supermarket price: ₦1,100 a head. Seven heads were bitter " +
          "and not sold.",
      },
      {
        daysAgo: 11,
        title: "Line test",
        content:
          "We shut the pump off on purpose for 25 minutes at noon. Plants drooped, and came back by evening. At 40 minutes the " +
          "small ones died.",
      },
      {
        daysAgo: 18,
        title: "New variety",
        content:
          "60 plants of a heat-tolerant kind from Kenya were sown beside the old one. Both germinated at 93 in 100.",
      },
    ],
    messages: [
      {
        daysAgo: 15,
        from: "admin",
        content:
          "Our meter says 11 litres a head. On our field plot it was about 90. The power and the tunnel cost more than a field, " +
          "of course.",
      },
      { daysAgo: 16, from: "backer", content: "How much water does this use against a field?" },
    ],
    backers: 6,
  },
  {
    slug: "drone-over-rice",
    title: "A spray drone for Argungu rice fields",
    category: "tech",
    shortDescription:
      "One used spray drone with two licensed pilots, hired out by the hectare to rice growers along the Rima river.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Fadama Sky Services is four young people from Argungu, led by Nafisa Argungu, who flew for a company in Kano for two years. Growers here
hire knapsack gangs, which take a day for a hectare and often come too late.</p>
<h3>What the money buys</h3>
<ul>
<li>Used spray drone with a 10-litre tank: <strong>₦5,600,000</strong></li>
<li>4 flight batteries at ₦380,000 each: <strong>₦1,520,000</strong></li>
<li>Field charger and generator: <strong>₦640,000</strong></li>
<li>2 pilot courses with licence at ₦260,000 each: <strong>₦520,000</strong></li>
<li>Insurance for one year: <strong>₦280,000</strong></li>
<li>Kept aside for price rises: <strong>₦340,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>There are two rice seasons a year. We plan for 600 hectares in the first season at ₦9,000 each. After each of the first four seasons
backers may take their share as bags of paddy, which many growers pay with, or have it sold, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>A crash.</strong> The insurance pays for repair above ₦200,000. Two sets of blades and arms come with the drone.</li>
<li><strong>Flight permit delayed.</strong> We applied to the aviation authority, and don't buy before we have it.</li>
<li><strong>Growers pay late.</strong> Half is paid before the flight, half on the day.</li>
</ul>`,
    location: "Argungu, Kebbi",
    creator: "Fadama Sky Services",
    goalNaira: 8_900_000,
    durationDays: 60,
    startedDaysAgo: 22,
    isClosed: false,
    imageAlt: "A young farmer with a remote control flies a spraying drone over flooded rice fields.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Fadama Sky Services, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Ten kilos of rice",
        amountNaira: 15_000,
        description: "Argungu rice, parboiled and cleaned, collected in Birnin Kebbi.",
        quantity: 40,
      },
    ],
    updates: [
      {
        daysAgo: 8,
        title: "74 growers signed",
        content:
          "74 growers with 212 hectares signed that they would hire us. The smallest field is 0.4 hectares, the largest 11.",
      },
      {
        daysAgo: 15,
        title: "Demonstration flight",
        content:
          "A company from Kano flew 3 hectares for us in 41 minutes. The same field took the gang two days last season. 10 " +
          "litres of mix a hectare.",
      },
    ],
    messages: [
      {
        daysAgo: 10,
        from: "admin",
        content:
          "Not yet. The file is with the authority, and security clearance is the slow part. Nothing is bought before it comes. " +
          "If it is refused the campaign closes.",
      },
      { daysAgo: 12, from: "backer", content: "Do you have the permit by now?" },
    ],
    backers: 4,
  },
  {
    slug: "solar-cold-room",
    title: "Solar cold room at Farin Gada market",
    category: "tech",
    shortDescription:
      "A walk-in cold room on solar power, where tomato, pepper and cabbage traders can keep 300 crates overnight for a small fee.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Farin Gada is the great vegetable market of Jos. The traders union has 420 members, and Mama Nanret Dashe is its treasurer. Traders told
us that they lose about one crate in four when lorries come late.</p>
<h3>What the money buys</h3>
<ul>
<li>Insulated panels, door and concrete base: <strong>₦3,400,000</strong></li>
<li>16 solar panels at ₦145,000 each: <strong>₦2,320,000</strong></li>
<li>Inverter and batteries: <strong>₦2,950,000</strong></li>
<li>Cooling unit: <strong>₦1,250,000</strong></li>
<li>300 plastic crates at ₦3,200 each: <strong>₦960,000</strong></li>
<li>Kept aside for price rises: <strong>₦320,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>A crate pays ₦250 a night. We plan for 180 crates a night on average. Each quarter, for two years, backers may take their share as
vegetables by the crate, or have it sold and paid out, less the platform fee. Wages and repairs are paid first.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Empty nights.</strong> In the glut everybody comes, in the dry months fewer. The plan needs only 110 crates a night to cover its
costs.</li>
<li><strong>Battery failure.</strong> The maker gives five years. A tenth of the fees goes into a repair fund.</li>
<li><strong>Dust on the panels.</strong> They are washed every Friday, twice a week in the harmattan.</li>
</ul>`,
    location: "Jos, Plateau",
    creator: "Farin Gada Traders Union",
    goalNaira: 11_200_000,
    durationDays: 60,
    startedDaysAgo: 110,
    isClosed: true,
    imageAlt:
      "Two women traders bring crates of tomatoes and vegetables to a white cold room with solar panels on its roof.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Farin Gada Traders Union, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Vegetable crate",
        amountNaira: 7_000,
        description: "A mixed crate of tomato, pepper, carrot and cabbage, collected in Jos.",
        quantity: 50,
      },
      {
        title: "Name on the wall",
        amountNaira: 100_000,
        description: "Your name or your shop's name painted beside the door.",
        quantity: 5,
      },
    ],
    updates: [
      {
        daysAgo: 5,
        title: "Month two: 171 crates a night",
        content:
          "5,130 crate-nights, ₦1,282,500 in fees. Wages, washing and security took ₦418,000. Repair fund: ₦128,250.",
      },
      {
        daysAgo: 21,
        title: "A cloudy week",
        content:
          "Batteries fell to 38 per cent on the fourth day. We stopped taking crates at 200 and kept 6 degrees. No crate was lost.",
      },
      {
        daysAgo: 35,
        title: "Month one: 134 crates a night",
        content:
          "Slower than planned in the first two weeks, fuller since word went round. Losses in the room: 3 crates in 100, all " +
          "tomatoes that came in soft.",
      },
      {
        daysAgo: 68,
        title: "Door opened",
        content:
          "27 degrees outside at noon, and 7 inside the room after five hours. The first night held 61 crates. The union elected " +
          "two keepers.",
      },
      {
        daysAgo: 82,
        title: "Panels up",
        content:
          "16 panels stand on the frame, 6.9 kilowatts. The batteries came two weeks late from Lagos. We told the builder to " +
          "wait with the final payment.",
      },
      {
        daysAgo: 96,
        title: "Base poured",
        content:
          "The concrete base is 7 by 4 metres, 15 cm thick. 31 bags of cement. The market authority gave the plot for ten years, " +
          "and the paper is with the administrators.",
      },
    ],
    messages: [
      {
        daysAgo: 49,
        from: "admin",
        content:
          "No. The price was fixed. The supplier took ₦80,000 off for the delay, and it went into the repair fund.",
      },
      { daysAgo: 50, from: "backer", content: "Was the late battery delivery paid for by us?" },
      {
        daysAgo: 79,
        from: "admin",
        content: "The traders union. Backers share in its fees for two years, as the terms say.",
      },
      { daysAgo: 80, from: "backer", content: "Who owns the room?" },
    ],
    backers: 13,
  },
];
