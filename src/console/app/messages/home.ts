// Messages and labels of the home page and its tiles.
export const homeMessages = {
  around: (groups: string, by: string) => `${groups}${by} around today`,
  by: (field: string) => ` by ${field}`,
  byMonth: (measure: string, period: string) => `${measure} by month, ${period}`,
  byState: (field: string) => `By ${field}`,
  current: (by: string, isWhole: boolean) => `Current and upcoming${by}${isWhole ? '' : ', newest records only'}`,
  groupsOf: (area: string) => `Groups of ${area}`,
  newest: 'Recently added',
  none: (description: string) => `None yet. ${description}`,
  offer: ['This workspace has few records yet. To explore one with data, run', 'to fill a new database.'],
  plus: (sums: string) => `plus ${sums}`,
  title: 'Workspace',
  unavailable: 'These records are not available now.',
};
