import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { VListHandle } from 'virtua'
import { Metric } from '../ui/Metric.tsx'
import classes from './ChunkLab.module.css'
import type { Setting } from './cutting.ts'
import { faultsOf } from './faults.ts'
import { warningsWithin } from './figures.ts'
import { Histogram } from './Histogram.tsx'
import { LabText } from './LabText.tsx'
import type { Measured } from '#contract/estimate.ts'
import { useWords } from '../ui/words.ts'
import { labWords } from './messages.ts'
import { SettingFields } from './SettingFields.tsx'
import type { TypedSetting } from './typed.ts'
import { type CutView, useCut } from './useCut.ts'
import { type Warning, WARNINGS } from './warnings.ts'

export interface LabColumnProps {
  name: string
  text: string
  setting: Setting
  /** The fields as typed; null where the setting is typed elsewhere. */
  typed: TypedSetting | null
  onTyped: (typed: TypedSetting) => void
  onUse?: ((setting: Setting) => void) | undefined
  onClose?: () => void
  /** Hears of each cut that has come to its end. */
  onCut?: ((cut: CutView) => void) | undefined
  measured?: Measured | undefined
}

/** One setting with what it makes of the text. */
export function LabColumn({ name, text, setting, typed, onTyped, onUse, onClose, onCut, measured }: LabColumnProps) {
  const t = useWords(labWords)
  const list = useRef<VListHandle>(null)
  const faults = faultsOf(setting)
  const isFaulty = Object.keys(faults).length > 0
  const [rested] = useDebouncedValue(text, 150)
  const cut = useCut(rested, isFaulty ? null : setting)
  const { figures, isDone } = cut
  const tell = useEffectEvent(() => onCut?.(cut))
  useEffect(() => {
    if (isDone) tell()
  }, [isDone, cut.of])
  const goTo = (warning: Warning) => {
    const from = list.current ? list.current.findItemIndex(list.current.scrollOffset + 1) : -1
    const has = (index: number) => warningsWithin(cut.chunks[index] ?? NOTHING).includes(warning)
    const all = [...cut.chunks.keys()].filter(has)
    const next = all.find((index) => index > from) ?? all[0]
    if (next !== undefined) list.current?.scrollToIndex(next, { align: 'start' })
  }
  return (
    <section className={classes.column} aria-label={name}>
      <header className={classes.head}>
        <h3>{name}</h3>
        {onUse && !isFaulty ? (
          <Button variant="default" onClick={() => onUse(setting)}>
            {t('use')}
          </Button>
        ) : null}
        {onClose ? (
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('uncompare')}
          </Button>
        ) : null}
      </header>
      {typed ? <SettingFields typed={typed} faults={faults} onChange={onTyped} /> : null}
      {isFaulty ? (
        <p className={classes.problem} role="alert">
          {t('faulty')}
        </p>
      ) : null}
      {cut.problem ? (
        <p className={classes.problem} role="alert">
          {cut.problem}
        </p>
      ) : null}
      {cut.chunks.length > 0 ? (
        <>
          <div className={classes.figures} role="status" aria-live="off">
            <Metric label={t('segments')} value={figures.segments.toLocaleString('en')} />
            {figures.children > 0 ? (
              <Metric label={t('childChunks')} value={figures.children.toLocaleString('en')} />
            ) : null}
            <Metric label={t('tokens')} value={figures.tokens.toLocaleString('en')} />
            <Metric label={t('median')} value={figures.median.toLocaleString('en')} />
            <Metric label={t('largest')} value={figures.largest.toLocaleString('en')} />
            {cut.isDone ? (
              <Metric label={t('speed')} value={t('ms', { ms: Math.round(cut.took ?? 0) })} />
            ) : (
              <span>{t('cutting', { percent: Math.floor(cut.share * 100) })}</span>
            )}
          </div>
          {measured ? (
            <div className={classes.figures}>
              <b>{t('measured')}</b>
              <Metric label={t('segments')} value={measured.segments?.toLocaleString('en')} />
              {figures.children > 0 ? (
                <Metric label={t('childChunks')} value={measured.children?.toLocaleString('en')} />
              ) : null}
              <Metric label={t('tokens')} value={measured.tokens?.toLocaleString('en')} />
            </div>
          ) : null}
          <Histogram bins={figures.bins} />
          <div className={classes.warnings} role="group" aria-label={t('warnings')}>
            {WARNINGS.filter((warning) => figures.warnings[warning] > 0).map((warning) => (
              <button
                key={warning}
                type="button"
                title={t('nextWarning', { warning: t(warning) })}
                onClick={() => goTo(warning)}
              >
                {t(warning)} <b>{figures.warnings[warning].toLocaleString('en')}</b>
              </button>
            ))}
            {cut.isDone && WARNINGS.every((warning) => figures.warnings[warning] === 0) ? t('noWarnings') : null}
          </div>
          <LabText ref={list} label={t('chunksOf', { setting: name })} text={cut.text} chunks={cut.chunks} />
        </>
      ) : null}
    </section>
  )
}

const NOTHING = { start: 0, end: 0, tokens: 0, children: [], warnings: [] }
