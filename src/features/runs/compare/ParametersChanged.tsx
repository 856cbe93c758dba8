import { IconAlertTriangle } from '@tabler/icons-react'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { findVersionAt } from '#domain/parameterVersions.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { JsonDiff } from './JsonDiff.tsx'
import { compareJson } from './compareJson.ts'
import { runMessages } from '../detail/messages.ts'
import classes from './ParametersChanged.module.css'

export interface ParametersChangedProps {
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
    <section className={classes.changed} role="note" aria-label={t('parametersChanged')}>
      <details>
        <summary>
          <IconAlertTriangle size={15} aria-hidden />
          {t(isNow ? 'parametersChanged' : 'parametersDiffer')} {t('parametersCount', { count: changes.length })}
        </summary>
        <JsonDiff before={before} after={after} label={t('parametersChanged')} />
      </details>
    </section>
  )
}
