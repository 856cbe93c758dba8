import { Button, Flex, Stack, Text, TextInput } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { batchEndpoints } from '#contract/console/batches.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { ImportFooter, ImportStep } from '../tableImport/ImportStep.tsx'
import { CheckResult } from '../tableImport/CheckResult.tsx'
import { MappingFields } from '../tableImport/MappingFields.tsx'
import { tableImportMessages } from '../tableImport/messages.ts'
import { TableSource } from '../tableImport/TableSource.tsx'
import { DisabledFieldset } from '../../../components/forms/DisabledFieldset.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ANNOTATION_IMPORT_FIELDS } from '../tableImport/columnMapping.ts'
import { MAX_COMPARED_ANNOTATIONS, useAnnotationImport } from './useAnnotationImport.ts'
import { annotationMessages } from '../messages.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useRead } from '../../../client/query.ts'
import { ImportSummary } from './ImportResult.tsx'

/** Imports a table of questions and answers: validates all rows, then the server creates one annotation per row. */
export function ImportAnnotations({ workspace, app }: { workspace: string; app: Key }) {
  const t = useMessages(annotationMessages)
  const words = useMessages(tableImportMessages)
  const { imported, existing, compareProblem, retryComparison, ...state } = useAnnotationImport(workspace, app)
  const { name, setName, canStart, sent, problem, startImport } = state
  const { table, total } = imported
  return (
    <Stack gap="xl" maw={1000} p="lg">
      <Text fz="sm" c="dimmed">
        {t('importWhy')}
      </Text>
      <DisabledFieldset isDisabled={sent !== null}>
        <ImportStep title={t('table')}>
          <TableSource {...imported} />
        </ImportStep>
        {table ? (
          <>
            {table.rows > 0 ? (
              <ImportStep title={t('columns')}>
                <MappingFields fields={ANNOTATION_IMPORT_FIELDS} imported={imported} upload={null} />
              </ImportStep>
            ) : null}
            <ImportStep title={t('importCheck')}>
              <CheckResult {...imported} />
              {compareProblem ? (
                <ProblemAlert problem={compareProblem} action={t('compareWhat')} onRetry={retryComparison}>
                  <span>{t('notCompared')}</span>
                </ProblemAlert>
              ) : existing ? (
                <Text fz="sm" c="dimmed">
                  {t(app.offers.includes('listAnnotations') ? 'comparedListed' : 'comparedSeen', {
                    n: existing.pairs.length,
                  })}{' '}
                  {existing.total > MAX_COMPARED_ANNOTATIONS ? t('comparedPart', { total: existing.total }) : null}
                </Text>
              ) : null}
            </ImportStep>
            <TextInput
              label={t('importName')}
              maxLength={120}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </>
        ) : null}
      </DisabledFieldset>
      {table ? (
        <ImportFooter
          problem={problem}
          note={sent !== null ? words('sending', { sent, total }) : t('importConcurrency')}
        >
          <Button leftSection={<IconUpload size={14} />} disabled={!canStart} onClick={startImport}>
            {t('importAll', { n: total })}
          </Button>
        </ImportFooter>
      ) : (
        <ImportStep title={t('imports')}>
          <ImportHistory workspace={workspace} app={app.id} />
        </ImportStep>
      )}
    </Stack>
  )
}

/** Earlier imports into an app, newest first. */
function ImportHistory({ workspace, app }: { workspace: string; app: string }) {
  const t = useMessages(annotationMessages)
  const read = useRead(batchEndpoints.listBatches, {
    query: { workspace, key: app, kind: 'annotations', limit: 20 },
  })
  return (
    <ReadBoundary
      read={read}
      action={t('importsWhat')}
      loading={null}
      isEmpty={({ total }) => total === 0}
      empty={
        <Text fz="sm" c="dimmed">
          {t('importsNone')}
        </Text>
      }
    >
      {({ data }) => (
        <Flex component="ul" direction="column" gap="xs" fz="sm">
          {data.map((batch) => (
            <Flex component="li" key={batch.id} wrap="wrap" align="center" gap="md">
              <StatusBadge {...getBatchStatus(batch)} isPlain />
              <Link to={paths.batch(batch.id, { workspace })}>{batch.name}</Link>
              <Text span fz="sm" c="dimmed">
                <ImportSummary batch={batch} />
              </Text>
              <RelativeTime at={batch.created_at} />
            </Flex>
          ))}
        </Flex>
      )}
    </ReadBoundary>
  )
}
