// Circles of figures that a domain by chance may be closed to: each has no value, and no record may ever wait for it.
import type { Domain, RawDescriptor, RawField } from './shape.ts';

const figure = (formula: string): RawField => ({
  type: 'integer',
  signed: true,
  formula,
  compute: 'always',
  description: 'A figure that goes round',
});

const withFields = (raw: RawDescriptor, fields: Readonly<Record<string, RawField>>): RawDescriptor => ({
  ...raw,
  properties: { ...raw.properties, ...fields },
});

/** A group and its name. */
type Named = readonly [name: string, raw: RawDescriptor];

/** The domain with a circle in each way in which one of its groups can have one. */
export function closed(domain: Domain): readonly (readonly [way: string, domain: Domain])[] {
  const groups = Object.entries(domain);
  return groups.flatMap((one) => [
    ...withinOne(one).map(([way, raw]) => [way, { ...domain, [one[0]]: raw }] as const),
    ...acrossTwo(domain, one),
  ]);
}

function withinOne([name, raw]: Named): readonly (readonly [string, RawDescriptor])[] {
  const all = `all.${raw.resource.path.slice(1)}`;
  const beside: RawField = {
    reference: name,
    nullable: true,
    onDelete: 'clear',
    filter: 'exact',
    description: 'Beside',
  };
  const isTree = raw.properties['above'] !== undefined;
  const along = (way: string, formula: string) => [way, withFields(raw, { beside, round: figure(formula) })] as const;
  return [
    ['of two figures', withFields(raw, { round: figure('other + 1'), other: figure('round') })],
    along('along a reference of the group', `1 + ${all}.filter(x, x.besideId == id).sum(x, x.round)`),
    along('back along a reference of the group', 'coalesce(beside.round, 0) + 1'),
    along('among those that name the same', `${all}.filter(x, x.besideId == besideId).sum(x, x.round)`),
    ...(isTree
      ? [
          along(
            'along another reference than that of the tree',
            `${all}.filter(x, x.besideId == id && x.aboveId == id).max(x, x.round) == null ? 1 : ${all}.filter(x, x.besideId == id).sum(x, x.round)`,
          ),
        ]
      : []),
    [
      'through a named formula',
      {
        ...withFields(raw, { round: figure('goes') }),
        resource: { ...raw.resource, formulas: { ...raw.resource.formulas, goes: { is: 'round + 1' } } },
      },
    ],
  ];
}

/** Between a group and one that it names. */
function acrossTwo(domain: Domain, [name, raw]: Named): readonly (readonly [string, Domain])[] {
  return Object.entries(raw.properties).flatMap(([link, { reference, formula }]) => {
    const other =
      reference === undefined || reference === name || formula !== undefined ? undefined : domain[reference];
    if (reference === undefined || other === undefined) return [];
    const sum = `all.${raw.resource.path.slice(1)}.filter(x, x.${link}Id == id).sum(x, x.round)`;
    const two = {
      [name]: withFields(raw, { round: figure(`coalesce(${link}.round, 0) + 1`) }),
      [reference]: withFields(other, { round: figure(sum) }),
    };
    return [[`between ${name} and ${reference}`, { ...domain, ...two }] as const];
  });
}
