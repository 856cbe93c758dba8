import { Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ExperimentCauses, ExperimentCause } from '#contract/console/experiments/experimentCauses.ts'
import type { Suite } from '#contract/console/suites.ts'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { causeMessages } from './comparisonMessages.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'

/** Causes that the list of a comparison shows. */
const MAX_SHOWN_CAUSES = 10

/** The likely causes of regressions in a comparison, and how far they were searched. */
export function RegressionCauses({ suite, causes }: { suite: Suite; causes: ExperimentCauses }) {
  const t = useMessages(causeMessages)
  const { data, regressed, examined, is_complete } = causes
  return (
    <Stack component="section" gap="xs" miw={0} fz={13} aria-label={t('likelyCauses')}>
      <Text component="h2" fz="md" fw={600}>
        {t('likelyCauses')}
      </Text>
      {data.length === 0 ? (
        <Text fz={13} c="dimmed">
          {t('noCause')}
        </Text>
      ) : (
        <Stack component="ol" gap="xs" pl={20} style={{ listStyle: 'revert' }}>
          {data.slice(0, MAX_SHOWN_CAUSES).map((cause) => (
            <li key={cause.id}>
              <CauseLine workspace={suite.workspace} cause={cause} />
              <Text span inherit ml="sm" c="var(--text-3)">
                {t('concerns', { n: cause.cases, all: examined })}
              </Text>
            </li>
          ))}
        </Stack>
      )}
      <Text fz={13} c="dimmed">
        {t('scopeNote')} {examined < regressed ? t('examinedNote', { examined, regressed }) : null}{' '}
        {is_complete ? null : t('editsNote')}
      </Text>
    </Stack>
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
    <Stack
      component="ol"
      gap={4}
      miw={240}
      pb="xs"
      pl="lg"
      fz="sm"
      style={{ listStyle: 'revert' }}
      aria-label={t('likelyCausesOfCase')}
    >
      {found.map(({ id, changed_share }) => {
        const cause = causes?.data.find((one) => one.id === id)
        return cause ? (
          <li key={id}>
            <CauseLine workspace={suite.workspace} cause={cause} changedShare={changed_share} />
          </li>
        ) : null
      })}
    </Stack>
  )
}

/** One cause: what changed, by whom and when, with links to what was changed and to the call that did it. */
function CauseLine({
  workspace,
  cause,
  changedShare = null,
}: {
  workspace: string
  cause: ExperimentCause
  /** How much of the text that a case cited changed, from 0 to 1. */
  changedShare?: number | null
}) {
  const t = useMessages(causeMessages)
  const { kind, call, person, at, document_name, differences } = cause
  const what = t(`kinds.${kind}`)
  const path = getCausePath(workspace, cause)
  return (
    <Group
      component="span"
      display="inline-flex"
      gap="0 8px"
      style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}
    >
      {path ? (
        <Link to={path} title={t('openCause', { what })} data-above-row>
          {what}
        </Link>
      ) : (
        <Text span inherit fw={500}>
          {what}
        </Text>
      )}
      {document_name ? <span dir="auto">{t('inDocument', { name: document_name })}</span> : null}
      {person ? <span>{t('byPerson', { person })}</span> : null}
      {at ? <RelativeTime at={at} /> : null}
      {changedShare === null ? null : <span>{t('changedShare', { percent: Math.round(changedShare * 100) })}</span>}
      {differences.map(({ name, before, after }) => (
        <span key={name}>
          <Text component="code" fz="xs" c="var(--text-3)">
            {name}
          </Text>{' '}
          {t('difference', { before: before ?? t('notOnRecord'), after: after ?? t('notOnRecord') })}
        </span>
      ))}
      {call ? (
        <Link to={paths.ledger({ workspace, call })} aria-label={t('viewCallOf', { what })} data-above-row>
          {t('viewCall')}
        </Link>
      ) : null}
    </Group>
  )
}

/** The screen of the changed resource; null if it was deleted, or is not knowledge. */
function getCausePath(workspace: string, { kind, dataset_id, document_id, segment_id }: ExperimentCause) {
  if (dataset_id === null || kind === 'dataset_deleted' || kind === 'document_deleted') return null
  if (kind === 'dataset_settings') return paths.datasetSettings(dataset_id, { workspace })
  if (document_id === null) return paths.dataset(dataset_id, { workspace })
  const segment = segment_id === null || kind === 'segment_deleted' ? {} : { segment: segment_id }
  return paths.document(dataset_id, document_id, { workspace, ...segment })
}
