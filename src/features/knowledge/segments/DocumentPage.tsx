import { Box, Text } from '@mantine/core'
import { useParams } from 'react-router'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { ChunkBrowser } from './ChunkBrowser.tsx'
import classes from './Document.module.css'
import { DocumentActions, DocumentUpdateDialog } from './DocumentActions.tsx'
import { IndexingStrip } from '../indexing/IndexingStrip.tsx'
import { ReadingNote } from '../reading/ReadingNote.tsx'
import { useIndexingWatch } from '../indexing/useIndexingWatch.ts'
import type { Problem } from '#contract/problem.ts'
import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import { type DocumentRecord, getDocumentState } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { DatasetBreadcrumbs } from '../DatasetBreadcrumbs.tsx'
import { useDataset } from '../useDataset.ts'
import { useDocument } from '../useDocument.ts'
import { useSavedEstimate, type SavedEstimate } from '../chunkLab/useSavedEstimate.ts'
import { useMeasuredChunks } from '../chunkLab/useMeasuredChunks.ts'
import { segmentMessages } from './messages.ts'
import { useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { formatGrants, isBeyondGrants } from '../../../client/grants.ts'
import { GrantNote } from '../../../components/layout/GrantNote.tsx'
import type { ReactNode } from 'react'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useOptionLabel } from '../../../components/forms/FieldLabel.tsx'
import { renderFieldLabel } from '../../../components/forms/registerField.tsx'
import { getEstimatedWordCount, type MeasuredChunks } from '#domain/chunking/chunkEstimate.ts'
import { readDocumentValues, toInput } from '../metadata/metadataValues.ts'

/** A document: what is known of it, and its segments with their child chunks. */
export function DocumentPage() {
  const { dataset_id = '', document_id = '' } = useParams()
  const { workspace, findKey, problem: workspaceProblem, retry } = useWorkspace()
  const key = findKey('knowledge')
  const capabilities = key?.offers ?? []
  const dataset = useDataset(dataset_id, workspace?.id)
  const document = useDocument({ dataset_id, document_id, workspace: workspace?.id, key: key?.id })
  const indexingWatch = useIndexingWatch(
    `indexing.${document_id}`,
    document.record && document.isLive ? [document.record] : [],
    document.at,
  )
  const canListSegments = capabilities.includes('listSegments')
  const measuredChunks = useMeasuredChunks({
    dataset_id,
    document_id,
    keyId: key?.id,
    canListSegments,
    record: document.record,
  })
  const savedEstimate = useSavedEstimate(document_id, workspace?.id)
  const state = document.record && getDocumentState(document.record)
  const readAgain = useWrite(optionalDocumentEndpoints.readFileAgain)
  const startReading = () => readAgain.mutate({ key: key?.id ?? '', params: { dataset_id, document_id } })
  const can = usePermission()
  const isReadable =
    capabilities.includes('readFileAgain') &&
    can(optionalDocumentEndpoints.readFileAgain) &&
    document.record?.reading?.has_file
  const problem = workspaceProblem ?? document.problem
  const inWorkspace = workspace ? { workspace: workspace.id } : {}

  return (
    <Page
      title={document.name ?? document_id.slice(0, 8)}
      breadcrumbs={<DatasetBreadcrumbs dataset_id={dataset_id} name={dataset.name} inWorkspace={inWorkspace} />}
      titleSuffix={
        <>
          {state ? <StatusBadge status={state} /> : null}
          <IdChip id={document_id} />
        </>
      }
      actions={
        <DocumentActions
          dataset_id={dataset_id}
          document_id={document_id}
          inWorkspace={inWorkspace}
          record={document.record}
          knowledge={key}
          onReadAgain={isReadable ? startReading : undefined}
        />
      }
      totals={
        document.record ? (
          <DocumentFacts record={document.record} measuredChunks={measuredChunks} savedEstimate={savedEstimate} />
        ) : undefined
      }
    >
      <div className={classes.document}>
        <DocumentProblem
          problem={problem}
          onRetry={workspaceProblem ? retry : document.retry}
          action="listDocumentWhat"
        />
        <DocumentProblem problem={readAgain.error?.problem ?? null} onRetry={startReading} action="readFileAgainWhat" />
        {dataset.technique === 'economy' ? <EconomyWarning record={document.record} /> : null}
        <ReadingNote reading={document.record?.reading} />
        {document.isLive ? <IndexingStrip indexing={indexingWatch} /> : null}
        {isBeyondGrants(workspace, ['knowledge']) && workspace ? (
          <GrantNote workspace={workspace.name} grants={formatGrants(workspace)} />
        ) : (
          <ChunkBrowser
            dataset_id={dataset_id}
            document_id={document_id}
            workspace={workspace?.id}
            knowledge={key}
            record={document.record}
          />
        )}
      </div>
      {key && workspace ? (
        <DocumentUpdateDialog
          dataset_id={dataset_id}
          document_id={document_id}
          workspace={workspace.id}
          knowledge={key}
          technique={dataset.technique}
        />
      ) : null}
    </Page>
  )
}

interface DocumentProblemProps {
  problem: Problem | null
  onRetry: () => void
  action: 'listDocumentWhat' | 'readFileAgainWhat'
}

function DocumentProblem({ problem, onRetry, action }: DocumentProblemProps) {
  const t = useMessages(segmentMessages)
  return problem ? (
    <Box maw={820} p="lg">
      <ProblemAlert problem={problem} action={t(action)} onRetry={onRetry} />
    </Box>
  ) : null
}

/** A hierarchical document of an economy dataset is found by no search. */
function EconomyWarning({ record }: { record: DocumentRecord | null }) {
  const t = useMessages(segmentMessages)
  return record?.doc_form === 'hierarchical_model' ? (
    <Text
      role="note"
      fz={13}
      px="lg"
      py="sm"
      style={{ borderBottom: '1px solid var(--line)', borderLeft: '3px solid var(--interrupted-solid)' }}
    >
      {t('economyHierarchical')}
    </Text>
  ) : null
}

interface DocumentFactsProps {
  record: DocumentRecord
  measuredChunks: MeasuredChunks | undefined
  /** What the chunk lab had estimated before it was sent; null where nothing is known, undefined until it is read. */
  savedEstimate: SavedEstimate | null | undefined
}

/**
 * The platform's data about a document, with the names of its fields, and the chunk lab's estimates next to its
 * counts.
 */
function DocumentFacts({ record, measuredChunks, savedEstimate }: DocumentFactsProps) {
  const t = useMessages(segmentMessages)
  const toOptionLabel = useOptionLabel()
  const estimate = savedEstimate?.estimate
  const facts: readonly (readonly [label: ReactNode, value: ReactNode, estimated?: number | undefined])[] = [
    [renderFieldLabel('doc_form'), record.doc_form == null ? null : toOptionLabel(record.doc_form)],
    [t('segments'), measuredChunks?.segments?.toLocaleString('en'), estimate?.segments],
    [
      renderFieldLabel('word_count'),
      record.word_count?.toLocaleString('en'),
      estimate && getEstimatedWordCount(estimate),
    ],
    [renderFieldLabel('tokens'), record.tokens?.toLocaleString('en'), estimate?.tokens],
    [renderFieldLabel('hit_count'), record.hit_count?.toLocaleString('en')],
    [renderFieldLabel('data_source_type'), record.data_source_type],
    [renderFieldLabel('created_from'), record.created_from],
    [renderFieldLabel('created_at'), record.created_at == null ? null : <RelativeTime at={record.created_at} />],
    ...readDocumentValues(record).own.map(({ name, type, value }) => [name, toInput(type, value) || null] as const),
  ]
  return (
    <dl className={classes.facts} aria-label={t('facts')} tabIndex={0}>
      {facts.map(([label, value, estimated], index) => (
        <div key={index}>
          <FactLabel>{label}</FactLabel>
          <FactValue>
            {value ?? (
              <Text span inherit fw={400} c="var(--text-3)">
                {t('notGiven')}
              </Text>
            )}
            {estimated === undefined ? null : <FactNote>{t('estimated', { n: estimated })}</FactNote>}
          </FactValue>
        </div>
      ))}
      {savedEstimate ? (
        <div>
          <FactLabel>{t('estimate')}</FactLabel>
          <FactValue>
            <EstimateNote savedEstimate={savedEstimate} />
          </FactValue>
        </div>
      ) : null}
    </dl>
  )
}

const FactLabel = ({ children }: { children: ReactNode }) => (
  <Text component="dt" fz="xs" c="var(--text-3)">
    {children}
  </Text>
)
const FactValue = ({ children }: { children: ReactNode }) => (
  <Text component="dd" fz={13} fw={550} style={{ fontVariantNumeric: 'tabular-nums' }}>
    {children}
  </Text>
)
const FactNote = ({ children }: { children: ReactNode }) => (
  <Text fz="xs" fw={400} c="var(--text-3)">
    {children}
  </Text>
)

/** When and by which rule, since the counts can only be compared where the platform cut by the same. */
function EstimateNote({ savedEstimate: { estimate, created_at } }: { savedEstimate: SavedEstimate }) {
  const t = useMessages(segmentMessages)
  const { process_rule, children, characters, isRuleSent } = estimate
  const { separator, max_tokens } = process_rule.rules?.segmentation ?? {}
  const splitRule =
    max_tokens === undefined ? process_rule.mode : `${process_rule.mode} ${JSON.stringify(separator)} ${max_tokens}`
  return (
    <>
      <RelativeTime at={created_at} /> <code>{splitRule}</code>
      <FactNote>
        {t('estimateOf', { characters, children })}
        {isRuleSent ? null : ` ${t('ruleLeft')}`}
      </FactNote>
    </>
  )
}
