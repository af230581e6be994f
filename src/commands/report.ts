// What a command says of what went wrong.
import { ConfigurationFault } from '../configuration-fault.ts';
import { DescriptorFaults } from '../registry/faults.ts';

/** What the operator can put right is told by its message; anything else is ours, and comes with its stack. */
export function report(error: unknown): string {
  if (error instanceof ConfigurationFault || error instanceof DescriptorFaults) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
