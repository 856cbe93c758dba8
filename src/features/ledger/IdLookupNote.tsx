import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { Id } from '#contract/endpoint.ts'
import { type IdLookupResult, idLookupEndpoints } from '#contract/console/resources.ts'
import { getResourcePath } from '#domain/paths.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import classes from './Ledger.module.css'
import { ledgerMessages } from './messages.ts'
import { UnknownId } from './UnknownId.tsx'

/** An id is one word with a digit in it; a shorter text matches too many resources. */
const ID_PATTERN = /^(?=.*\d)[\w.-]{8,255}$/

/** What the id in the search field refers to, when it was first and last seen, and a link. Empty for other text. */
export function IdLookupNote({ text, onFilter }: { text: string; onFilter: (id: string) => void }) {
  const t = useMessages(ledgerMessages)
  const { workspaces } = useWorkspace()
  const isId = Id.safeParse(text).success
  const read = useRead(idLookupEndpoints.lookupId, { query: { id: text } }, { enabled: ID_PATTERN.test(text) })
  const id = isId ? text.toLowerCase() : text
  if (!ID_PATTERN.test(text) || (!read.data && !read.error)) return null
  if (read.error)
    return <ProblemAlert problem={read.error.problem} action={t('identifyWhat')} onRetry={() => void read.refetch()} />
  const lookupResults = read.data.data
  if (lookupResults.length === 0) return isId ? <UnknownId id={id} /> : null
  return (
    <section className={classes.identity} aria-label={t('identity')}>
      <ul>
        {lookupResults.map((one) => (
          <li key={`${one.workspace} ${one.kind}`}>
            <span>
              {t.rich(one.label ? 'resourceIs' : 'resourceUnnamed', {
                b: (words) => <b>{words}</b>,
                kind: one.kind.replace('_', ' '),
                label: one.label ?? '',
                workspace:
                  workspaces.find((workspaceOfId) => workspaceOfId.id === one.workspace)?.name ??
                  one.workspace.slice(0, 8),
              })}
            </span>
            <SeenTimes result={one} />
            <Button size="compact-xs" component={Link} to={getResourcePath(one)}>
              {t('open')}
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => onFilter(id)}>
              {t('itsCalls')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function SeenTimes({ result: { first_seen, last_seen } }: { result: IdLookupResult }) {
  const t = useMessages(ledgerMessages)
  return (
    <small>
      {first_seen ? t.rich('firstSeen', { since: () => <RelativeTime at={first_seen} /> }) : null}{' '}
      {last_seen ? t.rich('lastSeen', { since: () => <RelativeTime at={last_seen} /> }) : null}
    </small>
  )
}
