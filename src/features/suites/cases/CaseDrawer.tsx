import { Box, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Suite, type SuiteCase, suiteEndpoints } from '#contract/console/suites.ts'
import { paths } from '#domain/paths.ts'
import { useRead } from '../../../client/query.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { TextDiff } from '../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import { suiteMessages, caseMessages } from '../messages.ts'
import { listCaseChanges, toCaseTexts } from './caseTexts.ts'
import blocks from '../../../components/layout/Blocks.module.css'

interface CaseDrawerProps {
  suite: Suite
  case_id: string
  onClose: () => void
}

const MAX_SHOWN_REVISIONS = 100
/** Each has its differences computed: further ones are shown on request. */
const FIRST_REVISIONS = 5

/** What a case asks and expects, and what each revision changed. */
export function CaseDrawer({ suite, case_id, onClose }: CaseDrawerProps) {
  const t = useMessages(caseMessages)
  const read = useRead(suiteEndpoints.listCaseRevisions, {
    params: { suite_id: suite.id, case_id },
    query: { limit: MAX_SHOWN_REVISIONS },
  })
  return (
    <SideDrawer title={t('caseDetails')} onClose={onClose}>
      <ReadBoundary read={read} action={t('revisionsWhat')} notFound={<p>{t('caseNotFound')}</p>}>
        {({ data, has_more }) => (
          <>
            {data[0] ? <CaseTexts suite={suite} of={data[0]} /> : null}
            <CaseHistory revisions={data} isWhole={!has_more} />
          </>
        )}
      </ReadBoundary>
    </SideDrawer>
  )
}

function CaseTexts({ suite, of }: { suite: Suite; of: SuiteCase }) {
  const t = useMessages(caseMessages)
  return (
    <Stack component="dl" gap={10} fz={13}>
      {[...toCaseTexts(of)].map(([field, text]) => (
        <div key={field}>
          <Text component="dt" fz="sm" c="dimmed">
            {t(`caseFields.${field}`)}
          </Text>
          <dd className={blocks.asWritten} dir="auto">
            {text}
          </dd>
        </div>
      ))}
      {of.source_run ? (
        <div>
          <dd>
            <Link to={paths.run(of.source_run, { workspace: suite.workspace })}>
              {t('madeFromRun', { id: of.source_run.slice(0, 8) })}
            </Link>
          </dd>
        </div>
      ) : null}
    </Stack>
  )
}

/** Newest first. Experiments keep the text with which they ran. */
function CaseHistory({ revisions, isWhole }: { revisions: readonly SuiteCase[]; isWhole: boolean }) {
  const t = useMessages(caseMessages)
  const tSuite = useMessages(suiteMessages)
  const [showsAll, setShowsAll] = useState(false)
  // The oldest revision that was read has no predecessor to compare with.
  const known = isWhole ? revisions : revisions.slice(0, -1)
  const shown = showsAll ? known : known.slice(0, FIRST_REVISIONS)
  return (
    <Stack component="section" gap="sm" mt="lg" aria-label={t('history')}>
      <Text component="h3" fz="md" fw={700}>
        {t('history')}
      </Text>
      <Stack component="ol" className={blocks.lined} gap="md" fz={13}>
        {shown.map((one, index) => {
          const before = revisions[index + 1]
          const changes = before ? listCaseChanges(before, one) : []
          return (
            <Box component="li" key={one.revision} pt={10}>
              {t('revisionBy', { n: one.revision, person: one.person ?? tSuite('theConsole') })}{' '}
              <RelativeTime at={one.updated_at} />
              {changes.map(({ field, ...texts }) => (
                <div key={field}>
                  <Text component="h4" mt="sm" mb={2} fz="sm" c="dimmed" fw={400}>
                    {t(`caseFields.${field}`)}
                  </Text>
                  <TextDiff {...texts} label={t(`caseFields.${field}`)} />
                </div>
              ))}
              {changes.length === 0 ? (
                <Text mt={4} fz={13} c="dimmed">
                  {t(before ? 'sameRevision' : 'firstRevision')}
                </Text>
              ) : null}
            </Box>
          )
        })}
      </Stack>
      {shown.length < known.length ? (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => setShowsAll(true)}>
            {t('earlierRevisions', { n: known.length - shown.length })}
          </Button>
        </div>
      ) : null}
    </Stack>
  )
}
