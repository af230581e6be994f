// The clients and their projects. A project's start and length are in months of the history.
import type { Kind } from './work.ts';

type Billing = 'tm' | 'fixed' | 'fixed_recurring';

export interface ProjectRow {
  readonly name: string;
  readonly kind: Kind;
  readonly billing: Billing;
  /** Months from the start of the history; below 0 for what had begun before. */
  readonly from: number;
  readonly months: number;
  /** What becomes of it, other than its end: called off when it is over, or resting at the end of the history. */
  readonly fate?: 'cancelled' | 'paused';
}

export interface ClientRow {
  readonly name: string;
  readonly code: string;
  readonly currency: string;
  readonly industry: string;
  readonly address: string;
  readonly country: string;
  readonly domain: string;
  readonly employees: number;
  readonly founded: number;
  readonly contacts: readonly (readonly [name: string, title: string])[];
  readonly projects: readonly ProjectRow[];
}

type Course = readonly [from: number, months: number, fate?: ProjectRow['fate']];
const work = (
  name: string,
  [kind, billing]: readonly [kind: Kind, billing: Billing],
  [from, months, fate]: Course,
): ProjectRow => ({ name, kind, billing, from, months, ...(fate && { fate }) });

type Trade = readonly [name: string, code: string, domain: string, industry: string];
type Seat = readonly [address: string, country: string, currency: string, employees: number, founded: number];
const client = (
  [name, code, domain, industry]: Trade,
  [address, country, currency, employees, founded]: Seat,
  relations: Pick<ClientRow, 'contacts' | 'projects'>,
): ClientRow => ({ name, code, domain, industry, address, country, currency, employees, founded, ...relations });

/** Newer ones are listed further down. */
export const clients: readonly ClientRow[] = [
  client(
    ['Nordwind Logistik', 'NWL', 'nordwind.example', 'Logistics'],
    ['Am Sandtorkai 41\n20457 Hamburg', 'DE', 'EUR', 2100, 1968],
    {
      contacts: [
        ['Anja Petersen', 'Chief Operating Officer'],
        ['Malte Hinrichs', 'Head of Warehousing'],
      ],
      projects: [
        work('Warehouse control room', ['software', 'tm'], [-2, 9]),
        work('Route planning forecast', ['data', 'fixed'], [5, 6, 'cancelled']),
        work('Driver app support', ['retainer', 'fixed_recurring'], [3, 18]),
      ],
    },
  ),
  client(
    ['Maison Aubertin', 'AUB', 'aubertin.example', 'Retail'],
    ['18 rue de la République\n69002 Lyon', 'FR', 'EUR', 640, 1921],
    {
      contacts: [
        ['Claire Aubertin', 'Managing Director'],
        ['Hugo Lemaire', 'E-commerce Manager'],
      ],
      projects: [
        work('Online shop relaunch', ['design', 'fixed'], [0, 7]),
        work('Loyalty programme strategy', ['strategy', 'tm'], [6, 4]),
        work('Shop care', ['retainer', 'fixed_recurring'], [7, 15]),
      ],
    },
  ),
  client(
    ['Great Lakes Credit Union', 'GLC', 'glcu.example', 'Financial services'],
    ['55 King Street West\nToronto ON M5H 3B2', 'CA', 'USD', 880, 1957],
    {
      contacts: [
        ['Margaret Sinclair', 'Chief Risk Officer'],
        ['Devon Clarke', 'Director of Digital Channels'],
      ],
      projects: [
        work('Member portal', ['software', 'tm'], [-3, 14]),
        work('Model risk review', ['compliance', 'fixed'], [2, 5]),
        work('Branch network study', ['strategy', 'tm'], [12, 4]),
      ],
    },
  ),
  client(
    ['Helvetia Präzision', 'HVP', 'hvpraezision.example', 'Manufacturing'],
    ['Industriestrasse 9\n8952 Schlieren', 'CH', 'CHF', 1350, 1946],
    {
      contacts: [
        ['Reto Brunner', 'Head of Production'],
        ['Sandra Wyss', 'Head of IT'],
      ],
      projects: [
        work('Machine data platform', ['data', 'tm'], [1, 11]),
        work('Spare parts configurator', ['software', 'fixed'], [8, 7]),
        work('Factory dashboard care', ['retainer', 'fixed_recurring'], [12, 12]),
      ],
    },
  ),
  client(
    ['Vårdhem Omsorg', 'VHO', 'vardhem.example', 'Healthcare'],
    ['Linnégatan 22\n413 04 Göteborg', 'SE', 'EUR', 3200, 1994],
    {
      contacts: [
        ['Karin Nyström', 'Chief Nursing Officer'],
        ['Erik Sandberg', 'Digital Transformation Lead'],
      ],
      projects: [
        work('Care planning app', ['design', 'tm'], [-1, 8]),
        work('Data protection audit', ['compliance', 'fixed'], [4, 4]),
        work('Rostering pilot', ['software', 'tm'], [10, 6]),
      ],
    },
  ),
  client(
    ['Ashworth & Bell', 'ASB', 'ashworthbell.example', 'Legal'],
    ['7 Lincoln’s Inn Fields\nLondon WC2A 3BP', 'GB', 'GBP', 410, 1889],
    {
      contacts: [
        ['Victoria Ashworth', 'Senior Partner'],
        ['Imran Qureshi', 'Head of Knowledge'],
      ],
      projects: [
        work('Matter intake redesign', ['strategy', 'fixed'], [1, 4]),
        work('Contract search prototype', ['data', 'tm'], [6, 6]),
        work('Knowledge base support', ['retainer', 'fixed_recurring'], [11, 12]),
      ],
    },
  ),
  client(
    ['Solterra Energía', 'SOL', 'solterra.example', 'Energy'],
    ['Calle de Alcalá 120\n28009 Madrid', 'ES', 'EUR', 720, 2009],
    {
      contacts: [
        ['Lucía Navarro', 'Director of Operations'],
        ['Álvaro Ruiz', 'Asset Manager'],
      ],
      projects: [
        work('Solar yield forecast', ['data', 'tm'], [2, 8]),
        work('Field service app', ['software', 'fixed'], [9, 7]),
        work('Market entry Portugal', ['strategy', 'tm'], [18, 5]),
      ],
    },
  ),
  client(
    ['Blue Heron Hotels', 'BHH', 'blueheron.example', 'Hospitality'],
    ['410 Bay Shore Drive\nPortland ME 04101', 'US', 'USD', 1900, 1978],
    {
      contacts: [
        ['Grace Holloway', 'VP Guest Experience'],
        ['Marcus Bell', 'Revenue Director'],
      ],
      projects: [
        work('Booking flow redesign', ['design', 'tm'], [0, 6]),
        work('Pricing analytics', ['data', 'fixed'], [7, 5]),
        work('Guest messaging care', ['retainer', 'fixed_recurring'], [6, 16]),
      ],
    },
  ),
  client(
    ['Universität Rheintal', 'URT', 'uni-rheintal.example', 'Education'],
    ['Schlossallee 1\n53113 Bonn', 'DE', 'EUR', 4600, 1818],
    {
      contacts: [
        ['Prof. Dr. Ulrike Hartmann', 'Vice-Rector for Teaching'],
        ['Stefan Krüger', 'Head of the Computing Centre'],
      ],
      projects: [
        work('Exam registration', ['software', 'fixed'], [-2, 8]),
        work('Accessibility review', ['compliance', 'tm'], [5, 3]),
        work('Course catalogue redesign', ['design', 'tm'], [11, 6]),
      ],
    },
  ),
  client(
    ['Kestrel Insurance', 'KST', 'kestrel.example', 'Insurance'],
    ['30 St Mary Axe\nLondon EC3A 8BF', 'GB', 'GBP', 2750, 1932],
    {
      contacts: [
        ['Rebecca Thornton', 'Claims Director'],
        ['Oluwaseun Balogun', 'Chief Data Officer'],
      ],
      projects: [
        work('Claims triage model', ['data', 'tm'], [3, 10]),
        work('Operational resilience', ['compliance', 'fixed'], [8, 5]),
        work('Broker portal discovery', ['strategy', 'tm'], [18, 4]),
      ],
    },
  ),
  client(
    ['Fjordline Seafood', 'FJS', 'fjordline.example', 'Food'],
    ['Strandgaten 60\n5004 Bergen', 'NO', 'EUR', 530, 1974],
    {
      contacts: [
        ['Sigrid Haugen', 'Supply Chain Director'],
        ['Leif Solberg', 'Quality Manager'],
      ],
      projects: [
        work('Cold chain tracing', ['software', 'tm'], [4, 8]),
        work('Demand planning', ['data', 'fixed'], [11, 5]),
        work('Export compliance', ['compliance', 'tm'], [9, 3]),
      ],
    },
  ),
  client(
    ['Stadtwerke Lindental', 'SWL', 'sw-lindental.example', 'Public sector'],
    ['Wasserwerkstraße 4\n04109 Leipzig', 'DE', 'EUR', 980, 1905],
    {
      contacts: [
        ['Jürgen Wolf', 'Head of Customer Service'],
        ['Beate Lorenz', 'Head of Procurement'],
      ],
      projects: [
        work('Customer self-service', ['design', 'fixed'], [3, 7]),
        work('Smart meter rollout plan', ['strategy', 'tm'], [0, 5]),
        work('Service desk support', ['retainer', 'fixed_recurring'], [10, 12]),
      ],
    },
  ),
  client(
    ['Pacific Rim Robotics', 'PRR', 'pacrimrobotics.example', 'Manufacturing'],
    ['2200 Harbor Bay Parkway\nAlameda CA 94502', 'US', 'USD', 310, 2014],
    {
      contacts: [
        ['Jennifer Wu', 'VP Engineering'],
        ['Carlos Mendoza', 'Product Lead'],
      ],
      projects: [
        work('Fleet telemetry', ['data', 'tm'], [5, 9]),
        work('Operator console', ['design', 'tm'], [8, 6]),
        work('Safety certification', ['compliance', 'fixed'], [13, 6]),
      ],
    },
  ),
  client(
    ['Atelier Fontana', 'FON', 'fontana.example', 'Fashion'],
    ['Via Tortona 37\n20144 Milano', 'IT', 'EUR', 150, 1986],
    {
      contacts: [
        ['Giulia Fontana', 'Creative Director'],
        ['Paolo Conti', 'Operations Manager'],
      ],
      projects: [
        work('Digital showroom', ['design', 'fixed'], [6, 5]),
        work('Wholesale ordering', ['software', 'tm'], [12, 6]),
        work('Brand strategy', ['strategy', 'tm'], [4, 3]),
      ],
    },
  ),
  client(
    ['Meridian Biotech', 'MBT', 'meridianbio.example', 'Life sciences'],
    ['Oude Delft 95\n2611 BX Delft', 'NL', 'EUR', 270, 2011],
    {
      contacts: [
        ['Dr. Saskia de Vries', 'Head of Research'],
        ['Ruben Bakker', 'Quality Assurance Lead'],
      ],
      projects: [
        work('Lab data catalogue', ['data', 'tm'], [7, 8]),
        work('GxP validation', ['compliance', 'fixed'], [10, 6]),
        work('Sample tracking', ['software', 'tm'], [14, 6]),
      ],
    },
  ),
  client(
    ['Copperfield Media', 'CFM', 'copperfield.example', 'Media'],
    ['12 Wharf Road\nManchester M3 3AQ', 'GB', 'GBP', 460, 1999],
    {
      contacts: [
        ['Harriet Cole', 'Head of Subscriptions'],
        ['Dev Sharma', 'Chief Technology Officer'],
      ],
      projects: [
        work('Subscriber retention study', ['strategy', 'tm'], [8, 4]),
        work('Newsroom app', ['software', 'fixed'], [2, 9]),
        work('App maintenance', ['retainer', 'fixed_recurring'], [11, 14]),
      ],
    },
  ),
  client(
    ['Alpenbahn Tourismus', 'ALP', 'alpenbahn.example', 'Tourism'],
    ['Maria-Theresien-Straße 18\n6020 Innsbruck', 'AT', 'EUR', 390, 1953],
    {
      contacts: [
        ['Elisabeth Gruber', 'Marketing Director'],
        ['Florian Moser', 'Head of Ticketing'],
      ],
      projects: [
        work('Season ticket shop', ['software', 'tm'], [6, 7]),
        work('Visitor analytics', ['data', 'fixed'], [13, 4]),
        work('Winter campaign site', ['design', 'fixed'], [14, 3]),
      ],
    },
  ),
  client(
    ['Harbourview Hospital', 'HVH', 'harbourview.example', 'Healthcare'],
    ['1796 Summer Street\nHalifax NS B3H 3A7', 'CA', 'USD', 5400, 1887],
    {
      contacts: [
        ['Dr. Alan Fraser', 'Chief of Medicine'],
        ['Monique Gallant', 'Director of Patient Services'],
      ],
      projects: [
        work('Bed management', ['software', 'tm'], [9, 9]),
        work('Privacy impact assessment', ['compliance', 'fixed'], [7, 3]),
        work('Patient journey research', ['design', 'tm'], [14, 6, 'paused']),
      ],
    },
  ),
  client(
    ['Borealis Telecom', 'BOR', 'borealis.example', 'Telecommunications'],
    ['Mannerheimintie 14\n00100 Helsinki', 'FI', 'EUR', 6100, 1991],
    {
      contacts: [
        ['Mikko Lehtonen', 'VP Network Operations'],
        ['Aino Korhonen', 'Head of Customer Insight'],
      ],
      projects: [
        work('Churn prediction', ['data', 'tm'], [10, 7]),
        work('Service portfolio review', ['strategy', 'fixed'], [5, 3]),
        work('Network status page', ['design', 'tm'], [18, 5]),
      ],
    },
  ),
  client(
    ['Verdant Foods Co-op', 'VFC', 'verdantcoop.example', 'Retail'],
    ['88 Garden Street\nBristol BS1 5QD', 'GB', 'GBP', 1250, 1983],
    {
      contacts: [
        ['Bronwen Hughes', 'Chief Executive'],
        ['Kwame Asante', 'Head of Digital'],
      ],
      projects: [
        work('Store of the future', ['strategy', 'fixed'], [18, 4]),
        work('Supplier portal', ['software', 'tm'], [13, 8]),
        work('Member app support', ['retainer', 'fixed_recurring'], [14, 12]),
      ],
    },
  ),
];

/** Companies that are no clients yet. */
export const prospects: readonly (readonly [name: string, industry: string, deal: string])[] = [
  ['Arcadia Shipping', 'Logistics', 'Port community platform'],
  ['Cascadia Credit Bank', 'Financial services', 'Fraud analytics'],
  ['Delta Wasserbau', 'Public sector', 'Flood warning portal'],
  ['Ferrovia Nord', 'Logistics', 'Timetable information'],
  ['Greenfield Pharma', 'Life sciences', 'Trial data platform'],
  ['Hanse Versicherung', 'Insurance', 'Claims self-service'],
  ['Iberia Vinos', 'Food', 'Direct sales strategy'],
  ['Juniper Learning', 'Education', 'Learning app'],
  ['Lakeside Theatre Trust', 'Media', 'Ticketing redesign'],
  ['Montblanc Outdoor', 'Retail', 'Customer data strategy'],
];

/** What is added to the names of clients when there are more of them than in the list. */
export const branches =
  'North South East West Central Europe Americas Asia Pacific Nordics Iberia Benelux Alps Baltic Adriatic Atlantic Rhine Danube Thames Seine'.split(
    ' ',
  );
