// MariaDB from 10.6 on tells the columns of a prepared statement once, to clients that say that they keep them
// (https://mariadb.com/docs/server/reference/clientserver-protocol/1-connecting/connection, MARIADB_CLIENT_CACHE_METADATA):
// a third of the bytes of a small answer. Each answer says whether it tells them; it does where they have changed.
import type { Pool } from 'mysql2';

const cacheMetadata = 0x10;
/** Set by MySQL; a server that leaves it out has extended capabilities, and reads those of clients that leave it out too. */
const clientMysql = 1;

/** mysql2's command that greets the server. Its types leave it out. */
interface Greeting {
  readonly handshake: { readonly mariadbExtendedCapabilityFlags: number };
  clientFlags: number;
  mariadbExtendedClientFlags: number;
  sendSSLRequest(connection: object): void;
  sendCredentials(connection: object): void;
}

/** Connections whose server leaves out the columns of prepared statements that it has told before. */
export const columnCaches = new WeakSet<object>();

/** Lets the connection that a pool has just begun to make say that columns are kept, where the server offers that. */
export function offerColumnCache(pool: Pool): void {
  const { _allConnections: all } = pool as unknown as {
    readonly _allConnections: {
      readonly length: number;
      get(place: number): { readonly _command?: Greeting } | undefined;
    };
  };
  const connection = all.get(all.length - 1);
  const greeting = connection?._command;
  // One that was made before has nothing to greet.
  if (connection === undefined || greeting === undefined || !('sendCredentials' in greeting)) return;
  for (const name of ['sendSSLRequest', 'sendCredentials'] as const) {
    const send = greeting[name];
    greeting[name] = (wire) => {
      if ((greeting.handshake.mariadbExtendedCapabilityFlags & cacheMetadata) !== 0) {
        greeting.clientFlags &= ~clientMysql;
        greeting.mariadbExtendedClientFlags |= cacheMetadata;
        columnCaches.add(connection);
      }
      send.call(greeting, wire);
    };
  }
}
