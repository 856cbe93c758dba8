import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleX, IconHelpCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { isTurnOver } from '../../runs/turn.ts'
import { useTurn } from '../../runs/useTurn.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { Metric } from '../../../components/data/Metric.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { TextDiff } from '../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from '../Annotations.module.css'
import { toProbeOutcome } from './probeOutcome.ts'
import { annotationMessages } from '../messages.ts'
import type { AnnotationRow } from '../useAnnotations.ts'

const OUTCOME_ICONS = {
  stored: IconCircleCheckFilled,
  words: IconCircleCheckFilled,
  other: IconHelpCircle,
  own: IconCircleX,
  failed: IconCircleX,
}

/** Whether the stored answer was returned, according to the reply. */
export function ProbeResult({ run_id, row, workspace }: { run_id: string; row: AnnotationRow; workspace: string }) {
  const t = useMessages(annotationMessages)
  const { turn, problem } = useTurn(run_id)
  if (problem) return <ProblemAlert problem={problem} action={t('probeWhat')} />
  if (!turn || !isTurnOver(turn))
    return (
      <p role="status" className={classes.note}>
        {t('probing')}
      </p>
    )
  const { outcome, annotation_id, score } = toProbeOutcome(turn, row)
  const Icon = OUTCOME_ICONS[outcome]
  return (
    <div className={classes.came} data-came={outcome}>
      <p role="status">
        <Icon size={16} aria-hidden="true" /> {t(`probeOutcome.${outcome}`)}
      </p>
      {turn.problem ? <ProblemAlert problem={turn.problem} action={t('probeWhat')} /> : null}
      <div className={classes.figures}>
        <Metric label={t('probeScore')} value={score} />
        <Metric label={t('probeId')} value={annotation_id ? <IdChip id={annotation_id} /> : null} />
        <Metric
          label={t('time')}
          value={turn.duration_ms === null ? null : t('secondsShort', { seconds: formatSeconds(turn.duration_ms) })}
        />
        <Button size="xs" variant="default" component={Link} to={paths.run(run_id, { workspace })}>
          {t('openRun')}
        </Button>
      </div>
      {outcome === 'failed' ? null : (
        <TextDiff before={row.answer ?? ''} after={turn.answer.text} label={t('storedAnswerDiff')} />
      )}
    </div>
  )
}
