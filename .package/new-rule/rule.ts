import { keyArgument, type Rule, textOf } from 'praxis';

/** In a descriptor: `"rules": [{ "use": "ruleName", "field": "name" }]` */
export const ruleName: Rule = {
  // For people, on the pages and in editors; {field} stands for that argument.
  says: '{field} begins and ends with something to read.',
  example: {
    properties: { name: { type: 'string', maxLength: 100 } },
    rules: [{ use: 'ruleName', field: 'name' }],
  },
  // What each argument must be: here the name of a field that holds a text.
  parameters: { field: { field: 'text' } },
  on: ['create', 'update'],
  // It looks at nothing but the record that is written.
  isLocal: true,
  check: ({ use, resource, values, refuse, isSound }) => {
    const key = keyArgument(resource, use, 'field');
    const text = textOf(values, key);
    if (text === null || !isSound(key)) return;
    if (text !== text.trim()) refuse(key, 'must neither begin nor end with a space');
  },
};
