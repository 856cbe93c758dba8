import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { part } from '../ui/part.tsx'
import { offsetAt } from '../ui/markdown/offset.ts'
import { safeUrl } from '../ui/markdown/safe.ts'
import { useWords } from '../ui/words.ts'
import classes from './Answer.module.css'
import { runWords } from './messages.ts'
import { usePointed } from './pointing.ts'
import { RawAnswer } from './RawAnswer.tsx'
import { isOver, type Turn } from './turn.ts'

const Markdown = part(async () => (await import('../ui/Markdown.tsx')).Markdown)

/** Has the markdown chunk on its way before the first answer needs it. */
export const preloadAnswer = (): void => void Markdown.preload()

/** The words of an answer, and what belongs to them. While they come a caret stands behind the last one. */
export function Answer({ turn, onCite }: { turn: Turn; onCite: (position: number) => void }) {
  const t = useWords(runWords)
  const { answer, state, line, run_id } = turn
  const { pointed, pick } = usePointed(run_id)
  const [isRaw, setRaw] = useState(false)
  const words = useRef<HTMLDivElement>(null)
  const { sources, reasoning, files, text, replaced } = answer
  const over = isOver(turn)
  const cut = state === 'interrupted' || state === 'unknown' || (state === 'failed' && text !== '')
  const hollow = line?.state === 'reconnecting' || state === 'away'
  const citations = useMemo(() => sources.map(({ position }, index) => position ?? index + 1), [sources])
  const end = useMemo(() => {
    if (cut) return <span className={classes.cut}>{t('cutHere')}</span>
    return over ? undefined : <span className={classes.caret} data-hollow={hollow || undefined} aria-hidden="true" />
  }, [cut, over, hollow, t])
  // Pointing at words is a second way to a frame, for those who point; the list of frames is the way for everybody.
  useEffect(() => {
    const drawn = words.current
    if (!drawn || !pick) return
    const onClick = (event: MouseEvent) => {
      const target = event.target as Element
      if (target.closest('a, button, summary') || !window.getSelection()?.isCollapsed) return
      const offset = offsetAt(event.clientX, event.clientY)
      if (offset !== null) pick(offset)
    }
    drawn.addEventListener('click', onClick)
    return () => drawn.removeEventListener('click', onClick)
  }, [pick])
  if (over && text === '' && reasoning === '' && files.length === 0)
    return state === 'succeeded' ? <p className={classes.nothing}>{t('emptyAnswer')}</p> : null
  return (
    <div className={classes.answer}>
      {reasoning === '' ? null : (
        <details className={classes.reasoning}>
          <summary>{t('reasoning')}</summary>
          {reasoning}
        </details>
      )}
      {replaced === null ? null : (
        <p className={classes.nothing}>{t('replaced', { reason: replaced || t('reasonNotGiven') })}</p>
      )}
      {text === '' && over ? null : (
        <div className={classes.words} data-pick={pick ? true : undefined}>
          {text === '' ? null : (
            <button type="button" className={classes.rawSwitch} aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
              {t(isRaw ? 'showRendered' : 'showRaw')}
            </button>
          )}
          <div ref={words}>
            {isRaw ? (
              <RawAnswer text={text} end={end} mark={pointed} />
            ) : (
              <Suspense fallback={<div className={classes.plain}>{text}</div>}>
                <Markdown text={text} live={!over} end={end} citations={citations} onCite={onCite} mark={pointed} />
              </Suspense>
            )}
          </div>
        </div>
      )}
      {files.length === 0 ? null : (
        <ul className={classes.files} aria-label={t('files')}>
          {files.map(({ id, type, url }, index) => {
            const target = safeUrl(url ?? undefined)
            const words = target ? target.href : (url ?? id ?? t('notGiven'))
            return (
              <li key={id ?? index}>
                {type ? <code>{type}</code> : null}{' '}
                {target ? (
                  <a href={target.href} target="_blank" rel="noopener noreferrer nofollow">
                    {words}
                  </a>
                ) : (
                  words
                )}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
