// The people of the firm.

export type Discipline = 'Strategy' | 'Engineering' | 'Design' | 'Data' | 'Delivery' | 'Operations';

export interface Position {
  readonly title: string;
  readonly level: string;
  readonly discipline: Discipline;
  readonly practice: string;
  /** Per hour, in the currency of the workspace. */
  readonly rate: number;
  readonly cost: number;
  /** Billable hours of 100. */
  readonly target: number;
}

const position = (
  [title, level]: readonly [title: string, level: string],
  [discipline, practice]: readonly [discipline: Discipline, practice: string],
  [rate, cost, target]: readonly [rate: number, cost: number, target: number],
): Position => ({ title, level, discipline, practice, rate, cost, target });

const positions = {
  managing: position(['Managing Partner', 'Partner'], ['Operations', 'Strategy & Transformation'], [240, 110, 20]),
  partner: position(['Partner', 'Partner'], ['Strategy', 'Strategy & Transformation'], [220, 98, 55]),
  strategist: position(['Strategy Consultant', 'Senior'], ['Strategy', 'Strategy & Transformation'], [160, 62, 75]),
  analyst: position(['Business Analyst', 'Junior'], ['Strategy', 'Strategy & Transformation'], [115, 41, 80]),
  lead: position(['Engineering Lead', 'Principal'], ['Engineering', 'Digital Products'], [175, 72, 65]),
  developer: position(['Software Engineer', 'Senior'], ['Engineering', 'Digital Products'], [145, 58, 80]),
  junior: position(['Software Engineer', 'Junior'], ['Engineering', 'Digital Products'], [110, 40, 82]),
  designer: position(['Product Designer', 'Senior'], ['Design', 'Digital Products'], [140, 54, 75]),
  researcher: position(['UX Researcher', 'Consultant'], ['Design', 'Digital Products'], [125, 47, 75]),
  scientist: position(['Data Scientist', 'Senior'], ['Data', 'Data & AI'], [165, 66, 75]),
  dataEngineer: position(['Data Engineer', 'Consultant'], ['Data', 'Data & AI'], [140, 55, 80]),
  manager: position(['Project Manager', 'Senior'], ['Delivery', 'Delivery'], [150, 57, 70]),
  finance: position(['Finance Manager', 'Senior'], ['Operations', 'Delivery'], [0, 45, 0]),
  office: position(['Office Manager', 'Consultant'], ['Operations', 'Delivery'], [0, 34, 0]),
} as const;

export interface Person {
  readonly name: string;
  readonly position: Position;
  readonly location: string;
  /** Months from the start of the history; below 0 for those who were there before. */
  readonly joined: number;
  /** Months from the start, for those who have left. */
  readonly left?: number;
  /** Place in the list. */
  readonly manager?: number;
  readonly days?: number;
  readonly isContractor?: boolean;
}

/** Managers stand before those whom they lead. */
export const people: readonly Person[] = [
  { name: 'Ingrid Lindqvist', position: positions.managing, location: 'Gothenburg', joined: -84 },
  { name: 'Étienne Moreau', position: positions.partner, location: 'Lyon', joined: -80, manager: 0 },
  { name: 'Aisha Okonkwo', position: positions.partner, location: 'Toronto', joined: -52, manager: 0 },
  { name: 'Tomasz Wiśniewski', position: positions.lead, location: 'Berlin', joined: -61, manager: 0 },
  { name: 'Katharina Vogel', position: positions.manager, location: 'Berlin', joined: -47, manager: 1 },
  { name: 'Rajesh Iyer', position: positions.lead, location: 'Toronto', joined: -39, manager: 3 },
  { name: 'Sofia Papadopoulou', position: positions.strategist, location: 'Lyon', joined: -33, manager: 1 },
  { name: 'Lucas Ferreira da Silva', position: positions.developer, location: 'Remote', joined: -30, manager: 3 },
  { name: 'Hanna Virtanen', position: positions.designer, location: 'Gothenburg', joined: -36, manager: 3 },
  { name: 'Daniel Kim', position: positions.scientist, location: 'Toronto', joined: -28, manager: 5 },
  { name: 'Marta Kowalczyk', position: positions.dataEngineer, location: 'Berlin', joined: -20, manager: 5 },
  { name: 'Oliver Brandt', position: positions.developer, location: 'Berlin', joined: -44, manager: 3 },
  { name: 'Fatima El Amrani', position: positions.manager, location: 'Lyon', joined: -25, manager: 2 },
  { name: 'Jonas Bergström', position: positions.developer, location: 'Gothenburg', joined: -18, manager: 5 },
  { name: 'Chiara Ricci', position: positions.researcher, location: 'Lyon', joined: -15, manager: 8 },
  { name: 'Wei Zhang', position: positions.scientist, location: 'Remote', joined: -12, manager: 5 },
  { name: 'Emma Dubois', position: positions.analyst, location: 'Lyon', joined: -9, manager: 6 },
  { name: 'Samuel Adeyemi', position: positions.developer, location: 'Toronto', joined: -14, manager: 5 },
  { name: 'Petra Novákova', position: positions.finance, location: 'Berlin', joined: -58, manager: 0 },
  { name: 'Liam O’Connor', position: positions.strategist, location: 'Toronto', joined: -22, manager: 2 },
  { name: 'Yuki Tanaka', position: positions.designer, location: 'Remote', joined: -7, manager: 8, days: 4 },
  { name: 'Elif Yılmaz', position: positions.junior, location: 'Berlin', joined: 4, manager: 3 },
  { name: 'Mateo García', position: positions.junior, location: 'Remote', joined: 9, manager: 5 },
  { name: 'Nina Petrović', position: positions.office, location: 'Berlin', joined: -40, manager: 18, days: 4 },
  {
    name: 'Gareth Evans',
    position: positions.analyst,
    location: 'Toronto',
    joined: -16,
    left: 13,
    manager: 2,
    isContractor: true,
  },
];

/** For firms that are larger than the list. */
export const firstNames =
  'Anna Ben Carla David Elena Felix Greta Hugo Irina Jakob Klara Leon Mira Noah Olga Paul Rosa Simon Tara Viktor Amara Bilal Chen Dana Emre Farah Gita Hiro Ines João Kenji Laila Malik Nadia Omar Priya Quentin Ravi Selin Tariq'.split(
    ' ',
  );
export const lastNames =
  'Andersson Becker Costa Dimitrov Eriksen Fischer González Horváth Ivanova Jansen Keller Lambert Meyer Nguyen Olsen Pereira Quiroga Rossi Schmidt Torres Ueda Varga Weber Xu Young Zimmermann Ahmed Banerjee Cohen Diallo Fofana Gupta Hassan Khan Lopez Mbeki Nakamura Osei Park Reyes'.split(
    ' ',
  );

export const skills = [
  'TypeScript',
  'Python',
  'SQL',
  'Cloud architecture',
  'Workshop facilitation',
  'Financial modelling',
  'Interaction design',
  'User research',
  'Machine learning',
  'Change management',
  'Negotiation',
  'Technical writing',
] as const;
export const skillsOf: Readonly<Record<Discipline, readonly (typeof skills)[number][]>> = {
  Strategy: ['Workshop facilitation', 'Financial modelling', 'Change management', 'Negotiation'],
  Engineering: ['TypeScript', 'SQL', 'Cloud architecture', 'Technical writing'],
  Design: ['Interaction design', 'User research', 'Workshop facilitation'],
  Data: ['Python', 'SQL', 'Machine learning'],
  Delivery: ['Workshop facilitation', 'Change management', 'Negotiation'],
  Operations: ['Financial modelling', 'Negotiation'],
};
export const certifications = [
  'PMP',
  'Certified Scrum Master',
  'AWS Solutions Architect',
  'ISO 27001 Lead Auditor',
  'TOGAF 10',
];
export const certificationsOf: Readonly<Record<Discipline, readonly string[]>> = {
  Strategy: ['TOGAF 10'],
  Engineering: ['AWS Solutions Architect'],
  Design: ['Certified Scrum Master'],
  Data: ['AWS Solutions Architect'],
  Delivery: ['PMP', 'Certified Scrum Master'],
  Operations: ['ISO 27001 Lead Auditor'],
};
