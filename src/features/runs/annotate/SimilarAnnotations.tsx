import { IconAlertTriangleFilled, IconCopy, IconWaveSine } from '@tabler/icons-react'
import type { EndpointReply } from '#contract/endpoint.ts'
import type { reviewEndpoints } from '#contract/console/review.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Annotate.module.css'
import { annotateMessages } from './messages.ts'

const SIMILARITY_ICONS = { contradiction: IconAlertTriangleFilled, duplicate: IconCopy, near: IconWaveSine }

/** Annotations with a similar question, contradicting answers first, each with its similarity and answer. */
export function SimilarAnnotations({
  found: { data, seen },
}: {
  found: EndpointReply<typeof reviewEndpoints.findSimilarAnnotations>
}) {
  const t = useMessages(annotateMessages)
  if (data.length === 0) return <p className={classes.note}>{t('similarNone', { seen })}</p>
  const sorted = [...data].sort((one, other) => rankSimilarity(one.likeness) - rankSimilarity(other.likeness))
  return (
    <section className={classes.alike} aria-label={t('similar')}>
      <h3>{t('similar')}</h3>
      <ul>
        {sorted.map(({ id, question, answer, likeness, same_numbers, question_score, answer_score }) => {
          const Icon = SIMILARITY_ICONS[likeness]
          return (
            <li key={id} data-likeness={likeness}>
              <p className={classes.likeness}>
                <Icon size={14} aria-hidden="true" />
                {t(
                  likeness === 'duplicate' && answer_score === null
                    ? 'duplicateUnanswered'
                    : likeness === 'near' && !same_numbers
                      ? 'nearOtherNumbers'
                      : likeness,
                )}
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
      <p className={classes.note}>{t('similarWhy', { seen })}</p>
    </section>
  )
}

const rankSimilarity = (likeness: keyof typeof SIMILARITY_ICONS): number =>
  Object.keys(SIMILARITY_ICONS).indexOf(likeness)
