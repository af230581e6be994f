/** For what no request and no descriptor can bring about: a mistake of ours. @param what What has happened all the same. */
export function unreachable(what: string): never {
  throw new Error(`cannot happen: ${what}`);
}
