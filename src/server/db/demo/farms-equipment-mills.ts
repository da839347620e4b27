import type { DemoFarm } from "./farm.ts";

export const equipmentMillsFarms: DemoFarm[] = [
  {
    slug: "cassava-mill",
    title: "A garri mill for Ughelli women",
    category: "equipment",
    shortDescription:
      "Grater, presses, sifter and three fryers under one roof, so that 60 women can make garri in a day and not in four.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>The mill stands at Eruemukohwarien, near Ughelli, on land of the women's union. Mrs Oghenekaro Edafe manages it. About 60 women bring
roots. Before, they grated by hand or paid a bike to Ughelli.</p>
<h3>What the money buys</h3>
<ul>
<li>Grater with petrol engine: <strong>₦620,000</strong></li>
<li>2 screw presses at ₦240,000 each: <strong>₦480,000</strong></li>
<li>Sifter: <strong>₦310,000</strong></li>
<li>3 frying pans on brick stoves at ₦230,000 each: <strong>₦690,000</strong></li>
<li>Roof, floor and chimney: <strong>₦780,000</strong></li>
<li>Water tank and waste pit: <strong>₦260,000</strong></li>
<li>Scale and bags: <strong>₦130,000</strong></li>
<li>Kept aside for price rises: <strong>₦130,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>Women pay ₦60 for each kilo of garri made. We plan for 1,400 kg a week. Each quarter, for two years, backers may take their share as
garri, or have it sold, less the platform fee. Fuel, wages and repairs come first.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Smoke.</strong> The stoves have a chimney, so that the women don't stand in it. It is swept every week.</li>
<li><strong>Waste water.</strong> It poisons fish. It goes into a lined pit, 80 metres from the stream.</li>
<li><strong>Few roots in the dry months.</strong> The plan counts on nine good months of twelve.</li>
</ul>`,
    location: "Ughelli, Delta",
    creator: "Eruemukohwarien Garri Mill",
    goalNaira: 3_400_000,
    durationDays: 45,
    startedDaysAgo: 100,
    isClosed: true,
    imageAlt:
      "Under a metal roof, one woman feeds peeled cassava into a grating machine while another fries garri over a fire.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Eruemukohwarien Garri Mill, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Yellow garri",
        amountNaira: 5_000,
        description: "Four kilos of yellow garri with palm oil, collected in Ughelli or Warri.",
        quantity: 80,
      },
    ],
    updates: [
      {
        daysAgo: 11,
        title: "The first eleven weeks",
        content:
          "12,940 kg of garri, ₦776,400 in fees. Fuel, wages and repairs: ₦431,200. The first shares are worked out after week " +
          "thirteen.",
      },
      {
        daysAgo: 32,
        title: "Belt torn",
        content:
          "The grater stood still for a day and a half. A new belt cost ₦7,500, and a second now hangs on the wall. 1,190 kg " +
          "this week.",
      },
      {
        daysAgo: 53,
        title: "1,420 kg in a week",
        content: "The plan was reached for the first time. Yellow garri sold at ₦850 a kilo in Ughelli.",
      },
      {
        daysAgo: 74,
        title: "Chimney made higher",
        content:
          "Smoke came back in under the roof on still days. The mason added 1.2 metres, and it draws now. Cost ₦38,000, from the " +
          "money kept aside.",
      },
      {
        daysAgo: 88,
        title: "The mill runs",
        content:
          "First garri on Thursday: 210 kg from 18 women. The press takes 25 minutes a bag, the old way took two days under stones.",
      },
    ],
    messages: [
      { daysAgo: 5, from: "backer", content: "When will we be asked whether to take garri or have it sold?" },
      {
        daysAgo: 70,
        from: "admin",
        content:
          "It holds 9 cubic metres, and the mill makes about half a cubic metre a day. In heavy rain it is covered. We empty it " +
          "on the cassava plots when it is aged.",
      },
      { daysAgo: 71, from: "backer", content: "Is the pit big enough for the rains?" },
    ],
    backers: 10,
  },
  {
    slug: "rice-thresher",
    title: "A mobile thresher for Abakaliki rice",
    category: "equipment",
    shortDescription:
      "One thresher on wheels, drawn from field to field at harvest, so that rice is not beaten on the ground and mixed with " +
      "stones.",
    descriptionHtml: `<h3>Who runs the farm</h3>
<p>Izzi Rice Growers Cooperative has 88 members on the lowlands near Abakaliki. Ifeoma Nwankwo chairs it. Rice is beaten by hand on
tarpaulins now, and the mills pay less for it because of stones and broken grain.</p>
<h3>What the money buys</h3>
<ul>
<li>Axial-flow thresher: <strong>₦980,000</strong></li>
<li>Diesel engine, 13 horsepower: <strong>₦340,000</strong></li>
<li>Wheels, frame and towing hitch: <strong>₦130,000</strong></li>
<li>8 tarpaulins at ₦14,000 each: <strong>₦112,000</strong></li>
<li>Spare belts and beater bars: <strong>₦40,000</strong></li>
<li>Kept aside for price rises: <strong>₦48,000</strong></li>
</ul>
<h3>What happens at harvest</h3>
<p>The thresher does about 800 kg an hour. Members pay one bag in twenty. Backers share in that for two seasons. We plan for 240 tonnes in
the season from November to January. Backers may take their share as paddy or milled rice, or have it sold in Abakaliki, less the platform
fee.</p>
<h3>What can go wrong</h3>
<ul>
<li><strong>Mud.</strong> In wet fields it can't be towed. Rice is then carried to the road, and members know it.</li>
<li><strong>Hands in the machine.</strong> Two trained feeders only, a guard on the feed tray, and no loose cloth. Work stops at dusk.</li>
<li><strong>Late harvest.</strong> If the rains end late the season is short, and the thresher earns less.</li>
</ul>`,
    location: "Abakaliki, Ebonyi",
    creator: "Izzi Rice Growers Cooperative",
    goalNaira: 1_650_000,
    durationDays: 40,
    startedDaysAgo: 4,
    isClosed: false,
    imageAlt:
      "A man feeds sheaves into a red rice thresher; grain pours out below, chaff blows away, and full sacks stand ready.",
    rewards: [
      {
        title: "Supporter",
        amountNaira: 25,
        description: "A thank-you from Izzi Rice Growers Cooperative, and the farm's weekly updates.",
        quantity: null,
      },
      {
        title: "Abakaliki rice",
        amountNaira: 9_000,
        description: "Five kilos of destoned rice, collected in Abakaliki or Enugu.",
        quantity: 60,
      },
    ],
    updates: [],
    messages: [],
    backers: 0,
  },
];
