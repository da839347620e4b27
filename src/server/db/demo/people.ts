export type DemoPerson = { fullName: string; email: string; isApplicant?: never };

export const demoPeople: DemoPerson[] = [
  { fullName: "Adebola Ogunleye", email: "adebola.ogunleye@example.com" },
  { fullName: "Chinwe Okafor", email: "chinwe.okafor@example.com" },
  { fullName: "Ibrahim Abubakar", email: "ibrahim.abubakar@example.com" },
  { fullName: "Ngozi Umeh", email: "ngozi.umeh@example.com" },
  { fullName: "Tunde Bakare", email: "tunde.bakare@example.com" },
  { fullName: "Zainab Suleiman", email: "zainab.suleiman@example.com" },
  { fullName: "Ekaette Bassey", email: "ekaette.bassey@example.com" },
  { fullName: "Osaze Igbinedion", email: "osaze.igbinedion@example.com" },
  { fullName: "Tamuno Briggs", email: "tamuno.briggs@example.com" },
  { fullName: "Mercy Agbo", email: "mercy.agbo@example.com" },
  { fullName: "Aliyu Mohammed", email: "aliyu.mohammed@example.com" },
  { fullName: "Folashade Adeyemi", email: "folashade.adeyemi@example.com" },
  { fullName: "Obinna Nwosu", email: "obinna.nwosu@example.com" },
  { fullName: "Halima Bello", email: "halima.bello@example.com" },
  { fullName: "Terver Akaa", email: "terver.akaa@example.com" },
  { fullName: "Efe Omoruyi", email: "efe.omoruyi@example.com" },
  { fullName: "Nanpan Gyang", email: "nanpan.gyang@example.com" },
  { fullName: "Amarachi Eze", email: "amarachi.eze@example.com" },
  { fullName: "Musa Danjuma", email: "musa.danjuma@example.com" },
  { fullName: "Kehinde Salami", email: "kehinde.salami@example.com" },
  { fullName: "Ene Ochefu", email: "ene.ochefu@example.com" },
  { fullName: "Preye Dokubo", email: "preye.dokubo@example.com" },
  { fullName: "Fatima Waziri", email: "fatima.waziri@example.com" },
  { fullName: "Segun Akinwale", email: "segun.akinwale@example.com" },
];

export type DemoApplicant = {
  fullName: string;
  email: string;
  phone: string;
  position: "Farm Manager" | "Farm Hand" | "Agricultural Intern";
  coverLetter: string | null;
  status: "new" | "reviewed" | "contacted" | "rejected";
  daysAgo: number;
};

export const demoApplicants: DemoApplicant[] = [
  {
    fullName: "Babatunde Oyelaran",
    email: "babatunde.oyelaran@example.com",
    phone: "+234 803 000 0101",
    position: "Farm Manager",
    coverLetter:
      "I have managed a farm of 3,000 layers at Oyo for six years. I keep daily records of feed, eggs and deaths, and I have trained " +
      "four assistants. I can start a month after you decide.",
    status: "contacted",
    daysAgo: 24,
  },
  {
    fullName: "Hadiza Shehu",
    email: "hadiza.shehu@example.com",
    phone: "+234 806 000 0102",
    position: "Agricultural Intern",
    coverLetter:
      "I am in my final year of crop science in Zaria and need a placement of six months. I worked on my father's tomato plots at " +
      "Kura every dry season and would like to learn drip irrigation.",
    status: "reviewed",
    daysAgo: 17,
  },
  {
    fullName: "Chukwuemeka Ani",
    email: "chukwuemeka.ani@example.com",
    phone: "0813 000 0103",
    position: "Farm Hand",
    coverLetter: null,
    status: "new",
    daysAgo: 1,
  },
  {
    fullName: "Blessing Ekanem",
    email: "blessing.ekanem@example.com",
    phone: "+234 705 000 0104",
    position: "Farm Manager",
    coverLetter:
      "For three years I have run the fish section of a farm in Uyo: eight ponds, about 12,000 catfish. My last four harvests were " +
      "between 89 and 94 in 100 of the fish stocked. I am willing to move to Epe.",
    status: "new",
    daysAgo: 2,
  },
  {
    fullName: "Sunday Ogbu",
    email: "sunday.ogbu@example.com",
    phone: "+234 902 000 0105",
    position: "Farm Hand",
    coverLetter: "I can drive a tractor, spray and mend fences. My former employer in Gboko will speak for me.",
    status: "contacted",
    daysAgo: 12,
  },
  {
    fullName: "Maryam Gidado",
    email: "maryam.gidado@example.com",
    phone: "0808 000 0106",
    position: "Agricultural Intern",
    coverLetter: null,
    status: "rejected",
    daysAgo: 31,
  },
  {
    fullName: "Olumide Fashola",
    email: "olumide.fashola@example.com",
    phone: "+234 812 000 0107",
    position: "Farm Manager",
    coverLetter:
      "I worked ten years in a bank and now want to work on the land. I have no farm experience yet, but I know budgets and people well.",
    status: "rejected",
    daysAgo: 28,
  },
  {
    fullName: "Ifeyinwa Obi",
    email: "ifeyinwa.obi@example.com",
    phone: "+234 703 000 0108",
    position: "Agricultural Intern",
    coverLetter:
      "I finished animal science at Nsukka this year and have my national service ahead of me. I would be glad to spend the months " +
      "before it with the poultry or rabbit farms.",
    status: "new",
    daysAgo: 4,
  },
  {
    fullName: "Danladi Pam",
    email: "danladi.pam@example.com",
    phone: "+234 816 000 0109",
    position: "Farm Hand",
    coverLetter:
      "I have milked by hand since I was a boy and have used a machine for two years at Vom. I do not mind early hours.",
    status: "reviewed",
    daysAgo: 9,
  },
];

export type DemoContactMessage = {
  name: string;
  email: string;
  phone: string;
  message: string;
  daysAgo: number;
  isRead: boolean;
};

export const demoContactMessages: DemoContactMessage[] = [
  {
    name: "Yetunde O'Brien-Cole",
    email: "yetunde.cole@example.com",
    phone: "+234 802 000 0201",
    message:
      "Good afternoon. I would like to visit the snail farm at Ijebu Ode with my husband before we decide. Is a Saturday possible, " +
      "and do we have to book?",
    daysAgo: 1,
    isRead: false,
  },
  {
    name: "Emmanuel Ikpe",
    email: "emmanuel.ikpe@example.com",
    phone: "0809 000 0202",
    message:
      "I made my transfer yesterday, but the photo of my receipt is not sharp. May I send the PDF from my bank instead, or will that " +
      "count as a second payment?",
    daysAgo: 3,
    isRead: false,
  },
  {
    name: "Aisha Mu'azu",
    email: "aisha.muazu@example.com",
    phone: "+44 20 7946 0018",
    message:
      "I live in London and want to back a farm near my mother in Kano. Can she collect the produce in my place if I tell you her name?",
    daysAgo: 8,
    isRead: true,
  },
  {
    name: "Dr. Nnamdi Chukwu",
    email: "nnamdi.chukwu@example.com",
    phone: "(0803) 000-0203",
    message:
      "Our cooperative at Ohaozara grows rice on 30 hectares and would like to be listed. Which papers do you ask for, and does " +
      "someone come to see the farm first?",
    daysAgo: 13,
    isRead: true,
  },
  {
    name: "Grace Adamu",
    email: "grace.adamu@example.com",
    phone: "+234 814 000 0204",
    message:
      "What happens to my money if the birds die of disease? I read the page, but I would like to hear it from a person. " +
      "Please call after 5 pm.",
    daysAgo: 20,
    isRead: true,
  },
];
