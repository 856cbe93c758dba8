import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleX, IconHelpCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { seconds } from '../../run/figures.ts'
import { isOver } from '../../run/turn.ts'
import { useTurn } from '../../run/useTurn.ts'
import { IdChip } from '../../ui/IdChip.tsx'
import { Metric } from '../../ui/Metric.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Annotations.module.css'
import { cameOf } from './came.ts'
import { annotationsWords } from './messages.ts'
import type { AnnotationRow } from './useAnnotations.ts'

const ICONS = {
  stored: IconCircleCheckFilled,
  words: IconCircleCheckFilled,
  other: IconHelpCircle,
  own: IconCircleX,
  failed: IconCircleX,
}

/** Whether the stored answer came back, by what the reply tells. */
export function ProbeResult({ run_id, row, workspace }: { run_id: string; row: AnnotationRow; workspace: string }) {
  const t = useWords(annotationsWords)
  const { turn, problem } = useTurn(run_id)
  if (problem) return <ProblemNote problem={problem} what={t('probeWhat')} />
  if (!turn || !isOver(turn))
    return (
      <p role="status" className={classes.note}>
        {t('probing')}
      </p>
    )
  const { word, annotation_id, score } = cameOf(turn, row)
  const Icon = ICONS[word]
  return (
    <div className={classes.came} data-came={word}>
      <p role="status">
        <Icon size={16} aria-hidden="true" /> {t(`came.${word}`)}
      </p>
      {turn.problem ? <ProblemNote problem={turn.problem} what={t('probeWhat')} /> : null}
      <div className={classes.figures}>
        <Metric label={t('probeScore')} value={score} />
        <Metric label={t('probeId')} value={annotation_id ? <IdChip id={annotation_id} /> : null} />
        <Metric
          label={t('probeTime')}
          value={turn.duration_ms === null ? null : t('seconds', { seconds: seconds(turn.duration_ms) })}
        />
        <Button size="xs" variant="default" component={Link} to={paths.run(run_id, { workspace })}>
          {t('openRun')}
        </Button>
      </div>
      {word === 'failed' ? null : (
        <TextDiff before={row.answer ?? ''} after={turn.answer.text} label={t('theStored')} />
      )}
    </div>
  )
}
