// An error as the text that a command prints.
import { ConfigurationFault } from '../../configuration-fault.ts';
import { DescriptorFaults } from '../../registry/model/faults.ts';
import { describeUnavailable } from '../../storage/unavailable.ts';
import { faultData, faultsText } from './faults.ts';
import { fileFault } from './file-fault.ts';
import { paintErr, printJson } from './terminal.ts';

/**
 * Returns an error as text for people: one sentence if the operator can correct it, otherwise with its stack.
 * @param command The command to run again, `praxis migrate apply`.
 */
export function report(error: unknown, command?: string): string {
  if (error instanceof DescriptorFaults) return faultsText(error.faults, paintErr);
  const fault = error instanceof ConfigurationFault ? error : fileFault(error);
  if (fault !== undefined) return fault.message;
  const reason = describeUnavailable(error);
  if (reason !== undefined) return command === undefined ? `${reason}.` : `${reason}; run "${command}" again.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Tells why a command has failed: on standard error. With `--json` the faults of descriptors are an answer, on standard output;
 * anything else is `{"error"}` in a line on standard error, as a part of the answer may have been printed.
 */
export function tellFailure(error: unknown, isJson: boolean, command?: string): void {
  if (!isJson) process.stderr.write(`${report(error, command)}\n`);
  else if (error instanceof DescriptorFaults) printJson({ faults: error.faults.map(faultData) });
  else process.stderr.write(`${JSON.stringify({ error: report(error, command) })}\n`);
}
