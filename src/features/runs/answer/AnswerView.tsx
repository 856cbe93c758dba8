import { Text } from '@mantine/core'
import { isSuccessStatus, isUnclearStatus } from '#contract/console/runs.ts'
import { isModerated } from '#domain/answer/answerState.ts'
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { PlainText } from '../../../components/markdown/PlainText.tsx'
import { findTextOffsetAtPoint } from '../../../components/markdown/textOffset.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './AnswerView.module.css'
import { runMessages } from '../detail/messages.ts'
import { AnswerFiles, useAnswerFileSource } from '../files/AnswerFiles.tsx'
import { useHighlightedRange } from './answerHighlight.ts'
import { LazyMarkdown } from './LazyMarkdown.ts'
import { listAnswerFiles } from '../files/QuestionFiles.tsx'
import { isTurnOver, mayBeCut, type Turn } from '../turn.ts'

interface AnswerViewProps {
  turn: Turn
  /** The workspace of the run, if this console has it: its server loads the pictures and files. */
  workspace?: string | null
  onCite: (position: number) => void
}

/** The text of an answer with its sources and files. During streaming a caret follows the last word. */
export function AnswerView({ turn, workspace = null, onCite }: AnswerViewProps) {
  const t = useMessages(runMessages)
  const { answer, state, connection, run_id } = turn
  const { pointed, pick: onPickOffset } = useHighlightedRange(run_id)
  const [isRaw, setRaw] = useState(false)
  const textElement = useRef<HTMLDivElement>(null)
  const { sources, reasoning, text, replaced, gaps } = answer
  const files = listAnswerFiles(turn)
  const fileSource = useAnswerFileSource(turn, workspace)
  const over = isTurnOver(turn)
  // Of a workflow that only operation 12 has ended the outputs are whole, the streamed text is not.
  const isPartial = turn.entry === 'workflows.run' && Boolean(answer.run.told) && !answer.cut
  const isCut = isUnclearStatus(state) || isPartial || (state === 'failed' && text !== '')
  const isStopped = state === 'stopped' && turn.endMark?.cause !== 'output_moderation'
  const mark = mayBeCut(turn) ? 'mayBeCutHere' : isStopped ? 'stoppedHere' : isCut ? 'cutHere' : null
  const hollow = connection?.state === 'reconnecting' || state === 'away'
  const citations = useMemo(() => sources.map(({ position }, index) => position ?? index + 1), [sources])
  const end = useMemo(() => {
    if (mark)
      return (
        <span className={classes.cut} data-state={state}>
          {t(mark)}
        </span>
      )
    return over ? undefined : <span className={classes.caret} data-hollow={hollow || undefined} aria-hidden="true" />
  }, [mark, state, over, hollow, t])
  const pieces = useMemo(() => {
    const gapMark = <span className={classes.cut}>{t('gapHere')}</span>
    const offsets = [...new Set(gaps?.flatMap(({ after_chars }) => after_chars ?? []))]
    return [0, ...offsets].map((start, index) => ({
      start,
      text: text.slice(start, offsets[index]),
      end: index === offsets.length ? end : gapMark,
    }))
  }, [gaps, text, end, t])
  // A click on text is a pointer-only shortcut to its frame; the list of frames is the accessible way.
  useEffect(() => {
    const element = textElement.current
    if (!element || !onPickOffset) return
    const onClick = (event: MouseEvent) => {
      const target = event.target as Element
      if (target.closest('a, button, summary') || !window.getSelection()?.isCollapsed) return
      const offset = findTextOffsetAtPoint(event.clientX, event.clientY)
      if (offset !== null) onPickOffset(offset)
    }
    element.addEventListener('click', onClick)
    return () => element.removeEventListener('click', onClick)
  }, [onPickOffset])
  if (over && text === '' && reasoning === '' && files.length === 0)
    return isSuccessStatus(state) ? <AnswerNote>{t('emptyAnswer')}</AnswerNote> : null
  return (
    <div className={classes.answer}>
      {reasoning === '' ? null : (
        <details className={classes.reasoning}>
          <summary>{t('reasoning')}</summary>
          {reasoning}
        </details>
      )}
      {replaced === null ? null : (
        <AnswerNote>
          {isModerated(answer) ? t('moderated') : t('replaced', { reason: replaced || t('notGiven') })}
        </AnswerNote>
      )}
      {text === '' && over ? null : (
        <div className={classes.words} data-pick={onPickOffset ? true : undefined}>
          {text === '' ? null : (
            <button type="button" className={classes.rawSwitch} aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
              {t(isRaw ? 'showRendered' : 'showRaw')}
            </button>
          )}
          <div ref={textElement}>
            {isRaw ? (
              <div className={classes.raw}>
                {pieces.map((piece, index) => (
                  <PlainText key={index} {...piece} mark={pointed} />
                ))}
              </div>
            ) : (
              <Suspense fallback={<div className={classes.plain}>{text}</div>}>
                {pieces.map(({ end: caret, ...piece }, index) => (
                  <LazyMarkdown
                    key={index}
                    {...piece}
                    isStreaming={!over}
                    caret={caret}
                    citations={citations}
                    onCite={onCite}
                    highlight={pointed}
                    fileSource={fileSource}
                  />
                ))}
              </Suspense>
            )}
          </div>
        </div>
      )}
      <AnswerFiles run_id={run_id} files={files} label={t('files')} fileSource={fileSource} />
    </div>
  )
}

function AnswerNote({ children }: { children: ReactNode }) {
  return (
    <Text fz="sm" c="var(--text-3)">
      {children}
    </Text>
  )
}
