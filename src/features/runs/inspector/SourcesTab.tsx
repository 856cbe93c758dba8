import { isSuccessStatus } from '#contract/console/runs.ts'
import { useEffect, useMemo, useRef } from 'react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Inspector.module.css'
import { runMessages } from '../detail/messages.ts'
import { toVocabulary } from '../answer/sharedTextSpans.ts'
import { SourceCard } from '../answer/SourceCard.tsx'
import { isTurnOver, type Turn } from '../turn.ts'

/** The sources of an answer, each with its whole text. Scrolls to the selected one. */
export function SourcesTab({
  turn,
  workspace,
  source,
}: {
  turn: Turn
  workspace: string | null
  source: number | null
}) {
  const t = useMessages(runMessages)
  const list = useRef<HTMLDivElement>(null)
  const { sources, text } = turn.answer
  const hasSources = sources.length > 0
  const vocabulary = useMemo(() => toVocabulary(hasSources ? text : ''), [hasSources, text])
  useEffect(() => {
    list.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest' })
  }, [source, turn.run_id, sources.length])
  if (sources.length === 0)
    return (
      <p className={classes.none}>
        {isTurnOver(turn) ? (
          <>
            <b>{t('noSources')}</b> {isSuccessStatus(turn.state) ? t('noSourcesWhy') : null}
          </>
        ) : (
          t('sourcesLater')
        )}
      </p>
    )
  return (
    <div ref={list} className={classes.cards}>
      <p className={classes.about}>{t('sharedWords')}</p>
      {sources.map((one, index) => {
        const position = one.position ?? index + 1
        return (
          <SourceCard
            key={index}
            source={one}
            position={position}
            workspace={workspace}
            selected={position === source}
            showFullText
            vocabulary={vocabulary}
            run={turn.run_id}
          />
        )
      })}
    </div>
  )
}
