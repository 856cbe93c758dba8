import { Box, Paper } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo } from 'react'
import { truncateText } from '#contract/truncatedText.ts'
import type { RetrieverResource } from '#contract/platform/schemas.ts'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { findVersionAt } from '#domain/parameterVersions.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { compareJson, formatJsonPath, type JsonChange } from './compareJson.ts'
import classes from './Changes.module.css'
import { comparisonMessages } from './messages.ts'
import { compareSources } from './compareRuns.ts'
import { useRead } from '../../../client/query.ts'
import { runMessages } from '../detail/messages.ts'
import { RunNote } from '../page/RunSection.tsx'
import blocks from '../../../components/layout/Blocks.module.css'

/** Maximum differences shown, and maximum characters of each value. */
const MAX_CHANGES = 200
const MAX_VALUE_CHARS = 400

/** The differences of two JSON values, one per line: path, before, after. */
export function JsonDiff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const t = useMessages(comparisonMessages)
  const changes = useMemo(() => compareJson(before, after), [before, after])
  if (changes.length === 0) return <RunNote>{t('sameJson')}</RunNote>
  return (
    <>
      <ul className={classes.changes} aria-label={label}>
        {changes.slice(0, MAX_CHANGES).map((change) => (
          <li key={JSON.stringify(change.path)} data-kind={change.kind}>
            <span className={classes.kind}>{t(change.kind)}</span>
            <code className={classes.path}>{formatJsonPath(change.path)}</code>
            <JsonChangeValues change={change} />
          </li>
        ))}
      </ul>
      {changes.length > MAX_CHANGES ? (
        <RunNote>{t('moreChanges', { count: changes.length - MAX_CHANGES })}</RunNote>
      ) : null}
    </>
  )
}

function JsonChangeValues({ change }: { change: JsonChange }) {
  return (
    <span className={classes.values} dir="auto">
      {change.kind === 'added' ? null : <del>{toShortJson(change.before)}</del>}{' '}
      {change.kind === 'removed' ? null : <ins>{toShortJson(change.after)}</ins>}
    </span>
  )
}

function toShortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return truncateText(text, MAX_VALUE_CHARS, '…')
}

interface SourceDiffProps {
  before: readonly RetrieverResource[]
  after: readonly RetrieverResource[]
}

/** Which sources were added and removed, and how the scores of the others changed. */
export function SourceDiff({ before, after }: SourceDiffProps) {
  const t = useMessages(comparisonMessages)
  const changes = compareSources(before, after)
  const score = (value: number | null) => (value === null ? t('notGiven') : value.toFixed(3))
  if (changes.length === 0) return <RunNote>{t('noSources')}</RunNote>
  return (
    <ul className={classes.changes} aria-label={t('sources')}>
      {changes.map(({ kind, source, before: was, after: is }, index) => (
        <li key={index} data-kind={{ gained: 'added', lost: 'removed', kept: 'kept' }[kind]}>
          <span className={classes.kind}>{t(kind)}</span>
          <span className={classes.path}>
            {source.document_name || t('unnamedDocument')}
            {source.segment_position == null ? null : (
              <small> {t('segment', { position: source.segment_position })}</small>
            )}
          </span>
          <span className={classes.values}>
            {t('score')} {kind === 'gained' ? score(is) : kind === 'lost' ? score(was) : `${score(was)} → ${score(is)}`}
            <span className={classes.excerpt}>{source.content ?? t('notGiven')}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

interface ParametersChangedProps {
  workspace: string
  app: string
  /** Start of the run (Unix ms). */
  since: number
  /** Start of the other run (Unix ms), or the app's current parameters. */
  until: number | { now: unknown }
}

/** Warns that an app's parameters changed since a run; nothing if they did not, or if the earlier ones are unknown. */
export function ParametersChanged({ workspace, app, since, until }: ParametersChangedProps) {
  const t = useMessages(runMessages)
  const { data } = useRead(resourceEndpoints.listResources, {
    query: { kind: 'parameters', workspace, parent: app, limit: 100 },
  })
  if (!data) return null
  const isNow = typeof until !== 'number'
  const [before, after] = isNow
    ? [findVersionAt(data.data, since)?.payload, until.now]
    : [Math.min(since, until), Math.max(since, until)].map((at) => findVersionAt(data.data, at)?.payload)
  if (before === undefined || after === undefined) return null
  const changes = compareJson(before, after)
  if (changes.length === 0) return null
  return (
    <Paper
      component="section"
      className={blocks.noted}
      data-tone="interrupted"
      radius="md"
      py="sm"
      pr="md"
      fz={13}
      role="note"
      aria-label={t('parametersChanged')}
    >
      <details>
        <summary>
          <IconAlertTriangle size={13} color="var(--interrupted-fg)" aria-hidden />{' '}
          {t(isNow ? 'parametersChanged' : 'parametersDiffer')} {t('parametersCount', { count: changes.length })}
        </summary>
        <Box mt="sm">
          <JsonDiff before={before} after={after} label={t('parametersChanged')} />
        </Box>
      </details>
    </Paper>
  )
}
