import type { DemoFarm } from "./farm.ts";

export const equipmentTransportFarms: DemoFarm[] = [
  {
    slug: "tractor-hire",
    title: "A tractor for hire around Zaria",
    category: "equipment",
    shortDescription:
      "One rebuilt 75-horsepower tractor with plough and harrow, hired by the hectare to maize and sorghum growers near Zaria.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Samaru Machinery Ring is a company of nine growers and one mechanic, Engineer Danjuma Musa, who worked 18 years in the university
workshop at Samaru. They own one old tractor, which ploughed 214 hectares last season.</p>
<h3>What the money buys</h3>
<ul>
<li>Rebuilt 75-horsepower tractor: <strong>₦9,100,000</strong></li>
<li>Three-disc plough: <strong>₦880,000</strong></li>
<li>Harrow: <strong>₦960,000</strong></li>
<li>Filters, belts and one spare tyre: <strong>₦420,000</strong></li>
<li>Insurance and papers: <strong>₦240,000</strong></li>
<li>Kept aside for price rises: <strong>₦400,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>The season is April to July, and a shorter one for dry-season land. We plan for 260 hectares a year at ₦38,000 for ploughing, of which
fuel and the driver take about half. After each of the first four seasons backers may take their share in bags of maize, as some growers pay
in grain, or have it sold, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Breakdown in the season.</strong> The mechanic is a part owner, and the usual parts are in the store. A broken gearbox would
stop work for two weeks.</li>
<li><strong>Diesel price.</strong> The price for a hectare is set anew each month from the pump price.</li>
<li><strong>Insecurity on far fields.</strong> We work within 25 km of Samaru, and are home before dark.</li>
</ul>`,
    location: "Zaria, Kaduna",
    creator: "Samaru Machinery Ring",
    goalNaira: 12_000_000,
    durationDays: 60,
    startedDaysAgo: 35,
    isClosed: false,
    imageAlt: "A green tractor pulls a plough through red soil at sunset while a farmer raises his arm in greeting.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Samaru Machinery Ring, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Bag of maize",
        amountNaira: 12_000,
        description: "25 kg of dry yellow maize, collected in Zaria.",
        quantity: 40,
      },
      {
        title: "Ploughing voucher",
        amountNaira: 150_000,
        description: "Three hectares ploughed within 25 km of Samaru.",
        quantity: 4,
      },
    ],
    updates: [
      {
        daysAgo: 5,
        title: "The tractor was opened",
        content:
          "Engineer Musa opened the engine at the dealer's yard in Kaduna. New liners and rings, bearings good. Compression is " +
          "even on all four. Clutch at about 60 per cent.",
      },
      {
        daysAgo: 12,
        title: "Bookings",
        content: "61 growers put down ₦5,000 each for 148 hectares. We give it back if the tractor does not come.",
      },
      {
        daysAgo: 19,
        title: "Diesel",
        content:
          "₦1,180 a litre in Zaria. The old tractor used 17 litres a hectare on the heavy land at Bomo and 13 at Shika.",
      },
      {
        daysAgo: 33,
        title: "What the old tractor did",
        content: "214 hectares, 31 days lost to repairs, ₦2.1 million spent on parts. Those lost days are why we ask.",
      },
    ],
    messages: [
      {
        daysAgo: 17,
        from: "admin",
        content:
          "The ring is the owner. A copy of the papers and the insurance goes to the administrators before the dealer is paid " +
          "the last half.",
      },
      { daysAgo: 18, from: "backer", content: "Who holds the papers of the tractor?" },
      {
        daysAgo: 29,
        from: "admin",
        content:
          "A new one of this size costs more than double. At 260 hectares a year that would take too long to come back.",
      },
      { daysAgo: 30, from: "backer", content: "Why not buy new?" },
    ],
    backers: 12,
  },
  {
    slug: "cargo-tricycles",
    title: "Three cargo tricycles for Makurdi growers",
    category: "equipment",
    shortDescription:
      "Three cargo tricycles that bring yams, oranges and soybeans from farm paths to Wurukum market before the day gets hot.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Wurukum Produce Carriers is a group of ten riders and growers. Terkimbi Aondona, their chair, has carried produce by motorcycle since
2015. A motorcycle takes two bags, a cargo tricycle takes eight.</p>
<h3>What the money buys</h3>
<ul>
<li>3 cargo tricycles at ₦2,650,000 each: <strong>₦7,950,000</strong></li>
<li>3 sets of papers and insurance at ₦95,000 each: <strong>₦285,000</strong></li>
<li>60 plastic crates at ₦3,200 each: <strong>₦192,000</strong></li>
<li>Tyres, chains and tools: <strong>₦120,000</strong></li>
<li>Kept aside for price rises: <strong>₦153,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>We plan for four trips a day for each tricycle at ₦6,000 a trip, five days a week. Fuel, the rider and repairs take about two thirds.
Each quarter, for two years, backers may take their share in yams or oranges, or have it sold and paid out, less the platform fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Accidents.</strong> Riders have a licence and a helmet, and don't carry passengers. The insurance covers others, and the machine
in part.</li>
<li><strong>Bad paths in the rains.</strong> From July to September we plan for half of the trips.</li>
<li><strong>Theft.</strong> Tricycles are locked in the market yard at night, and each has a tracker.</li>
</ul>`,
    location: "Makurdi, Benue",
    creator: "Wurukum Produce Carriers",
    goalNaira: 8_700_000,
    durationDays: 30,
    startedDaysAgo: 2,
    isClosed: false,
    imageAlt:
      "A driver steers a green cargo tricycle stacked with crates of vegetables and a sack along a red-earth road, with a second one behind.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Wurukum Produce Carriers, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Sack of oranges",
        amountNaira: 6_000,
        description: "Fifty Benue oranges in season, collected in Makurdi.",
        quantity: 40,
      },
    ],
    updates: [],
    messages: [{ daysAgo: 1, from: "backer", content: "Are the trackers in the price, or do they come later?" }],
    backers: 1,
  },
];
