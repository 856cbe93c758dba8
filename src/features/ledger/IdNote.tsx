import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Sighting } from '#contract/things.ts'
import { pathOfThing } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Ledger.module.css'
import { ledgerWords } from './messages.ts'
import { UnknownId } from './UnknownId.tsx'

/** An id is one word with a digit in it; anything shorter names too many things. */
const LIKE_AN_ID = /^(?=.*\d)[\w.-]{8,255}$/

/** What the id in the search field is, where it was seen first and last, and the way to it. Words are no id and say nothing. */
export function IdNote({ text, onFilter }: { text: string; onFilter: (id: string) => void }) {
  const t = useWords(ledgerWords)
  const { workspaces } = useWorkspace()
  const isId = Id.safeParse(text).success
  const read = useRead(contract.console.identify, { query: { id: text } }, { enabled: LIKE_AN_ID.test(text) })
  const id = isId ? text.toLowerCase() : text
  if (!LIKE_AN_ID.test(text) || (!read.data && !read.error)) return null
  if (read.error)
    return <ProblemNote problem={read.error.problem} what={t('identifyWhat')} onRetry={() => void read.refetch()} />
  if (read.isPlaceholderData) return null
  const sightings = read.data.data
  if (sightings.length === 0) return isId ? <UnknownId id={id} /> : null
  return (
    <section className={classes.identity} aria-label={t('identity')}>
      <ul>
        {sightings.map((one) => (
          <li key={`${one.workspace} ${one.kind}`}>
            <span>
              {t.rich(one.label ? 'isA' : 'isNameless', {
                b: (words) => <b>{words}</b>,
                kind: one.kind.replace('_', ' '),
                label: one.label ?? '',
                workspace: workspaces.find((home) => home.id === one.workspace)?.name ?? one.workspace.slice(0, 8),
              })}
            </span>
            <Seen of={one} />
            <Button size="compact-xs" component={Link} to={pathOfThing(one)}>
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

function Seen({ of: { first_seen, last_seen } }: { of: Sighting }) {
  const t = useWords(ledgerWords)
  return (
    <small>
      {first_seen ? t.rich('firstSeen', { since: () => <Since at={first_seen} ago /> }) : null}{' '}
      {last_seen ? t.rich('lastSeen', { since: () => <Since at={last_seen} ago /> }) : null}
    </small>
  )
}
