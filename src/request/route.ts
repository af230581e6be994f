// From a method and a path in a batch to an endpoint, as the router finds it.
import type { Endpoint } from '../endpoints/routes/endpoint.ts';
import { problems } from '../problems.ts';

/** An endpoint, and the id and the query that the path brings along. */
interface Routed {
  readonly endpoint: Endpoint;
  readonly id: string;
  /** Undecoded; '' when there is none. */
  readonly query: string;
}

/** Makes a function that finds endpoints. @throws Problem 404 and 405, as for a request */
export function routesOf(endpoints: readonly Endpoint[]): (method: string, path: string) => Routed {
  const known = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));
  const paths = Map.groupBy(endpoints, ({ path }) => path);
  return (method, path) => {
    const mark = path.indexOf('?');
    const address = mark < 0 ? path : path.slice(0, mark);
    const [, group = '', id, ...more] = address.split('/');
    const template = id === undefined ? `/${group}` : `/${group}/{id}`;
    const endpoint = known.get(`${method} ${template}`);
    if (more.length > 0 || !paths.has(template)) throw problems.pathUnknown();
    if (endpoint === undefined)
      throw problems.methodNotAllowed((paths.get(template) ?? []).map((each) => each.method).join(', '));
    return { endpoint, id: decoded(id ?? ''), query: mark < 0 ? '' : path.slice(mark + 1) };
  };
}

/** What cannot be decoded stays as it was sent, and is no id then. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
