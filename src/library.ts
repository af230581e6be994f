// The public interface of the package: `import { … } from 'praxis'`. The only file that re-exports.

export type { Role, Roles } from './access/model.ts';
export type { Finding } from './access/proof/finding.ts';
export { type Answer as AccessAnswer, canIn as can, type Question as AccessQuestion } from './app/access/can.ts';
export { createPraxis, type Praxis, type PraxisOptions } from './app/praxis.ts';
export { listRoleFindings as findingsOf, loadRoles, registryOf } from './app/registry.ts';
export { type Config, readConfig } from './config.ts';
export { ConfigurationFault } from './configuration-fault.ts';
export type { Records } from './facts/records.ts';
export type { ProblemCode } from './problems/codes.ts';
export { Problem, problems } from './problems.ts';
export { defineConfig, type ProjectConfig } from './project.ts';
export { DescriptorFaults } from './registry/model/faults.ts';
export type { Field, Registry, Resource, RuleSignature, RuleUse, Value, Values } from './registry/model/model.ts';
export { loadRegistry } from './registry/registry.ts';
export { ruleSignatures, rules, rulesWith } from './rules/catalogue.ts';
export {
  guardedBy,
  keyArgument,
  type Moment,
  type Question,
  type Rule,
  textArgument,
  textArguments,
  textOf,
} from './rules/support/rule.ts';
export { openDatabase } from './storage/database.ts';
export type { Database } from './storage/schema/session.ts';
