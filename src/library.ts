// What an application that embeds Praxis imports: `import { … } from 'praxis'`. The package's one face, and so the one
// file that hands on what others make.
export { createPraxis, type Praxis, type PraxisOptions } from './app/praxis.ts';
export { registryOf } from './app/registry.ts';
export { ruleSignatures, rules, rulesWith } from './behaviours/catalogue.ts';
export {
  guardedBy,
  keyArgument,
  type Moment,
  type Question,
  type Records,
  type Rule,
  textArgument,
  textArguments,
  textOf,
} from './behaviours/rule.ts';
export { type Config, readConfig } from './config.ts';
export { ConfigurationFault } from './configuration-fault.ts';
export { Problem, type ProblemCode, problems } from './problems.ts';
export { defineConfig, type ProjectConfig } from './project.ts';
export { DescriptorFaults } from './registry/faults.ts';
export type { Field, Registry, Resource, RuleSignature, RuleUse, Value, Values } from './registry/model.ts';
export { loadRegistry } from './registry/registry.ts';
export { openDatabase } from './storage/database.ts';
export type { Database } from './storage/session.ts';
