import { IconAlertTriangleFilled, IconCopy, IconWaveSine } from '@tabler/icons-react'
import type { Reply } from '#contract/endpoint.ts'
import type { contract } from '#contract/index.ts'
import { useWords } from '../../ui/words.ts'
import classes from './Annotate.module.css'
import { annotateWords } from './messages.ts'

const ICONS = { contradiction: IconAlertTriangleFilled, duplicate: IconCopy, near: IconWaveSine }

/** Annotations that ask alike, those that contradict first: each with how alike it is, and its answer. */
export function AlikeList({ found: { data, seen } }: { found: Reply<typeof contract.console.findAlike> }) {
  const t = useWords(annotateWords)
  if (data.length === 0) return <p className={classes.note}>{t('alikeNone', { seen })}</p>
  const sorted = [...data].sort((one, other) => rank(one.likeness) - rank(other.likeness))
  return (
    <section className={classes.alike} aria-label={t('alike')}>
      <h3>{t('alike')}</h3>
      <ul>
        {sorted.map(({ id, question, answer, likeness, question_score, answer_score }) => {
          const Icon = ICONS[likeness]
          return (
            <li key={id} data-likeness={likeness}>
              <p className={classes.likeness}>
                <Icon size={14} aria-hidden="true" />
                {t(likeness === 'duplicate' && answer_score === null ? 'duplicateUnanswered' : likeness)}
                <span>{t('score', { score: question_score.toFixed(2) })}</span>
              </p>
              <p className={classes.asked} dir="auto">
                {question}
              </p>
              <p className={classes.answered} dir="auto">
                {answer}
              </p>
            </li>
          )
        })}
      </ul>
      <p className={classes.note}>{t('alikeWhy', { seen })}</p>
    </section>
  )
}

const rank = (likeness: keyof typeof ICONS): number => Object.keys(ICONS).indexOf(likeness)
