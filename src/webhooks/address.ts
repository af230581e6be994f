// Where messages may be sent: to public addresses, by https. Whoever may make a webhook must not reach, through this service, what
// only its own network can.
import { lookup as lookUpName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Resolves a name to all of its addresses. */
export type Resolve = typeof lookUpName;

/** Addresses of version 4 that are no public ones (IANA's registry of special-purpose addresses). */
const special = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
/** Of version 6: all are in `2000::/3` that are public, and these of them are not; those of tunnels lead to any of version 4. */
const specialWithin = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const listOf = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};
const refused = { 4: listOf(special, 'ipv4'), 6: listOf(specialWithin, 'ipv6') };
const global = listOf(['2000::/3'], 'ipv6');

/** Whether everybody reaches the same there. */
function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refused[4].check(address, 'ipv4');
    case 6:
      return global.check(address, 'ipv6') && !refused[6].check(address, 'ipv6');
    default:
      return false;
  }
}

const hostOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;

/** Whether a host and a port are among those that are allowed by name. */
const isAllowed = (url: URL, hosts: readonly string[]): boolean =>
  hosts.some((host) => host === url.host || host === hostOf(url));

const longestUrl = 2000;

/** What is wrong with the address of a webhook, in the words behind its name; undefined where it is right. */
export function addressFault(text: string, hosts: readonly string[]): string | undefined {
  const url = URL.parse(text);
  const mustBeHttps = 'must be an https URL';
  if (url === null || text.length > longestUrl) return mustBeHttps;
  const isPlain = url.username === '' && url.password === '' && url.hash === '' && url.port !== '0';
  if (!isPlain || (url.protocol !== 'https:' && url.protocol !== 'http:')) return mustBeHttps;
  if (isAllowed(url, hosts)) return undefined;
  if (url.protocol !== 'https:') return mustBeHttps;
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isPrivate = isIP(literal) > 0 ? !isPublic(literal) : /(?:^|\.)localhost\.?$/.test(literal);
  return isPrivate ? 'must not lead to a private address' : undefined;
}

/** How the host of an address is looked up: refused where any of its addresses is none of the public ones. */
export function lookupFor(text: string, hosts: readonly string[], resolve: Resolve = lookUpName): LookupFunction {
  const url = URL.parse(text);
  const isFree = url !== null && isAllowed(url, hosts);
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) return callback(error, '');
      if (first === undefined || (!isFree && !addresses.every(({ address }) => isPublic(address))))
        return callback(new Error('its name leads to a private address'), '');
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
