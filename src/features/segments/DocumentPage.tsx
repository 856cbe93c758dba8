import { Button } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { paths } from '../../paths.ts'
import { IdChip } from '../../ui/IdChip.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { AskAgain } from './AskAgain.tsx'
import classes from './Document.module.css'
import { DocumentFacts } from './DocumentFacts.tsx'
import { IndexingStrip } from '../../ui/indexing/IndexingStrip.tsx'
import { useWatch } from '../../ui/indexing/useWatch.ts'
import { stateOf } from '#contract/records.ts'
import { useWords } from '../../ui/words.ts'
import { EditorPane } from './EditorPane.tsx'
import { SegmentList } from './SegmentList.tsx'
import { SegmentPane } from './SegmentPane.tsx'
import { useDataset } from '../../wire/useDataset.ts'
import type { SegmentSource } from './useSegmentPage.ts'
import { useDocument } from '../../wire/useDocument.ts'
import { useEstimate } from '../../wire/useEstimate.ts'
import { useMeasured } from '../../wire/useMeasured.ts'
import { segmentsWords } from './messages.ts'
import { contract } from '#contract/index.ts'
import { May } from '../../wire/May.tsx'

/** A document: what is known of it, its segments, the one in the URL (`?segment=`), and the child in the editor (`?child=`). */
export function DocumentPage() {
  const { dataset_id = '', document_id = '' } = useParams()
  return <OneDocument key={document_id} dataset_id={dataset_id} document_id={document_id} />
}

function OneDocument({ dataset_id, document_id }: { dataset_id: string; document_id: string }) {
  const t = useWords(segmentsWords)
  const { workspace, keyOf, problem: workspaceProblem, retry } = useWorkspace()
  const url = useListState()
  const key = keyOf('knowledge')
  const offers = key?.offers ?? []
  const dataset = useDataset(dataset_id, workspace?.id)
  const document = useDocument({ dataset_id, document_id, workspace: workspace?.id, key: key?.id })
  const watching = useWatch(
    `indexing.${document_id}`,
    document.record && document.isLive ? [document.record] : [],
    document.at,
  )
  const isListed = offers.includes('listSegments')
  const measured = useMeasured({ dataset_id, document_id, keyId: key?.id, isListed, record: document.record })
  const kept = useEstimate(document_id, workspace?.id)
  const segment_id = url.get('segment')
  const child = url.get('child')
  const run = url.get('run')
  const source: SegmentSource = {
    dataset_id,
    document_id,
    workspace: workspace?.id,
    keyId: key?.id,
    isListed,
    keyword: url.get('keyword'),
    status: url.get('status'),
  }
  const state = document.record && stateOf(document.record)
  const problem = workspaceProblem ?? document.problem
  const inWorkspace = workspace ? { workspace: workspace.id } : {}

  return (
    <Page
      title={document.name ?? document_id.slice(0, 8)}
      crumbs={
        <>
          <Link to={paths.datasets(inWorkspace)}>{t('datasets')}</Link>
          <span aria-hidden="true">/</span>
          <Link to={paths.dataset(dataset_id, inWorkspace)}>{dataset.name ?? dataset_id.slice(0, 8)}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      beside={
        <>
          {state ? <StateBadge word={state} /> : null}
          <IdChip id={document_id} />
        </>
      }
      actions={
        <>
          <May entry={contract.documents.updateByText}>
            <Button
              variant="default"
              component={Link}
              to={paths.dataset(dataset_id, { ...inWorkspace, update: document_id })}
            >
              {t('update')}
            </Button>
          </May>
          <Button variant="default" component={Link} to={paths.retrieval(dataset_id, inWorkspace)}>
            {t('retrieval')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconMessage size={14} />}
            component={Link}
            to={paths.chat(inWorkspace)}
          >
            {t('ask')}
          </Button>
        </>
      }
      totals={document.record ? <DocumentFacts record={document.record} measured={measured} kept={kept} /> : undefined}
    >
      {problem ? (
        <div className={classes.problem}>
          <ProblemNote
            problem={problem}
            what={t('listDocumentWhat')}
            onRetry={workspaceProblem ? retry : document.retry}
          />
        </div>
      ) : null}
      {document.isLive ? <IndexingStrip watched={watching} /> : null}
      {run ? <AskAgain key={run} run_id={run} segment_id={segment_id} onClose={() => url.set({ run: null })} /> : null}
      <div className={classes.panes}>
        <SegmentList
          source={source}
          current={segment_id}
          search={{ ...inWorkspace, keyword: source.keyword, status: source.status, run }}
          onFilter={(filter) => url.set(filter)}
          onOpen={(id) => url.set({ segment: id, child: null })}
        />
        <SegmentPane
          key={segment_id}
          input={{ dataset_id, document_id, segment_id }}
          keyId={key?.id}
          offers={offers}
          record={document.record}
          child={child}
          onChild={(id) => url.set({ child: id })}
          onEdit={() => url.set({ child: 'segment' })}
          onDeleted={() => url.set({ segment: null, child: null })}
        />
        {segment_id && child && key && workspace ? (
          <EditorPane
            key={`${segment_id}${child}`}
            input={{ dataset_id, document_id, segment_id }}
            keyId={key.id}
            workspace={workspace.id}
            offers={offers}
            record={document.record}
            child={child}
            onChild={(id) => url.set({ child: id })}
          />
        ) : null}
      </div>
    </Page>
  )
}
