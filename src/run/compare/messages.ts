/** Words of what differs between two runs. */
export const comparison = {
  sameJson: 'The same.',
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  moreChanges: '{count, number} more differences are not shown.',
  noSources: 'Neither has sources.',
  gained: 'gained',
  lost: 'lost',
  kept: 'kept',
  score: 'score',
  segment: 'segment {position}',
  unnamedDocument: 'document without a name',
  notGiven: 'not given',
  sources: 'Sources',
}
