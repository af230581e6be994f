// Names of OpenAPI components, made here alone. A name follows from a group's own descriptor, so that it never changes
// because another group appears; where two collide, `components` stops the start.
import type { Field, Resource } from '../../registry/model/model.ts';

/** Where a component is: what stands for it in other schemas. */
export const toComponent = (name: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** The body of every problem. */
export const errorName = 'Error';

/** The body of every problem, as a problem document. */
export const documentName = 'ProblemDocument';

/** Any JSON, in fields of any form. */
export const anyJsonName = 'JsonValue';

/** `cost-period` → `CostPeriod`, `memberRates` → `MemberRates`, `/cost-periods` → `CostPeriods`. */
export const pascalCase = (words: string): string =>
  words.replaceAll(/(?:^|[-/])([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/** The record of a group: `Client`. The names of all that belongs to it begin with this one. */
export const recordName = ({ name }: Pick<Resource, 'name'>): string => pascalCase(name);

/** `ClientCreate`, `ClientUpdate`, `ClientPut`: bodies, and the items and objects inside them (`InvoiceLinesItemCreate`). */
export const bodyName = (holder: string, mode: 'create' | 'update' | 'put'): string => `${holder}${pascalCase(mode)}`;

/** `ClientPage` */
export const pageName = (resource: Resource): string => `${recordName(resource)}Page`;

/** `ClientQuery` */
export const queryName = (resource: Resource): string => `${recordName(resource)}Query`;

/** The values of an enum, or an object: `ProjectStatusId`, `ProjectBudget`. @param holder The record or item it stands in. */
export const fieldName = (holder: string, { name }: Pick<Field, 'name'>): string => `${holder}${pascalCase(name)}`;

/** One of a list: `InvoiceLinesItem`. No guess at a singular, which would be wrong for some words. */
export const itemName = (holder: string, field: Pick<Field, 'name'>): string => `${fieldName(holder, field)}Item`;

/**
 * A record as others show it: `ClientReference`, `PaymentTermReferenceWithTypeAndDays`.
 * @param included Names of the fields that are shown beside id and name, in the order of the record.
 */
export function referenceName(target: string, included: readonly string[]): string {
  const more = included.length === 0 ? '' : `With${included.map(pascalCase).join('And')}`;
  return `${pascalCase(target)}Reference${more}`;
}
