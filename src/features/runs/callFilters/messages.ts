/** Texts of the filters of a list of calls. */
export const callFilterMessages = {
  resource: 'Id',
  filter: 'Filter',
  filtered: 'Filter, {count} set',
  anyKind: 'any kind',
  anyState: 'any state',
  anyApp: 'any app',
  from: 'From',
  anyTime: 'any time',
  lastHour: 'in the last hour',
  lastDay: 'in the last 24 hours',
  lastWeek: 'in the last 7 days',
  chosenTime: 'custom',
  remove: 'Remove filter {name} {value}',
}
