import type { ExperimentCauses } from '#contract/console/experiments/experimentCauses.ts'
import type { Suite } from '#contract/console/suites.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { CauseLine } from './CauseLine.tsx'
import { causeMessages } from './causeMessages.ts'
import classes from './Causes.module.css'

/** Causes that the list of a comparison shows. */
const MAX_SHOWN_CAUSES = 10

/** What is likely to have made cases of a comparison worse, and how far that was looked for. */
export function RegressionCauses({ suite, causes }: { suite: Suite; causes: ExperimentCauses }) {
  const t = useMessages(causeMessages)
  const { data, regressed, examined, is_complete } = causes
  return (
    <section className={classes.causes} aria-label={t('likelyCauses')}>
      <h2>{t('likelyCauses')}</h2>
      {data.length === 0 ? (
        <p>{t('noCause')}</p>
      ) : (
        <ol>
          {data.slice(0, MAX_SHOWN_CAUSES).map((cause) => (
            <li key={cause.id}>
              <CauseLine workspace={suite.workspace} cause={cause} />
              <span className={classes.concerns}>{t('concerns', { n: cause.cases, all: examined })}</span>
            </li>
          ))}
        </ol>
      )}
      <p>
        {t('scopeNote')} {examined < regressed ? t('examinedNote', { examined, regressed }) : null}{' '}
        {is_complete ? null : t('editsNote')}
      </p>
    </section>
  )
}

/** The causes of one case, the likeliest first; nothing where none is known. */
export function CaseCausesList({
  suite,
  causes,
  case_id,
}: {
  suite: Suite
  causes: ExperimentCauses | undefined
  case_id: string
}) {
  const t = useMessages(causeMessages)
  const found = causes?.cases.find((one) => one.case_id === case_id)?.causes ?? []
  if (found.length === 0) return null
  return (
    <ol className={classes.cell} aria-label={t('likelyCausesOfCase')}>
      {found.map(({ id, changed_share }) => {
        const cause = causes?.data.find((one) => one.id === id)
        return cause ? (
          <li key={id}>
            <CauseLine workspace={suite.workspace} cause={cause} changedShare={changed_share} />
          </li>
        ) : null
      })}
    </ol>
  )
}
