import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type CaseResult, type Suite, type SuiteCase, suiteEndpoints } from '#contract/console/suites.ts'
import { paths } from '#domain/paths.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
import { usePermission } from '../../../client/usePermission.ts'
import type { TableColumn } from '../../../components/data/Table.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ResourceList } from '../../../components/layout/ResourceList.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { CaseForm } from './CaseForm.tsx'
import { CaseDrawer } from './CaseDrawer.tsx'
import { caseMessages, suiteMessages } from '../messages.ts'
import { ImportCases } from './ImportCases.tsx'
import { suiteFileMessages } from '../suiteFileMessages.ts'
import { summarizeExpectation } from '../experiments/suiteFigures.ts'
import classes from '../Suites.module.css'

const PAGE_SIZE_ROWS = 50
const RUNNING_POLL_INTERVAL_MS = 2_000

/** The cases of a suite, each with its results in the last ten experiments. */
export function SuiteCases({ suite }: { suite: Suite }) {
  const t = useMessages(suiteMessages)
  const { get, set } = useSearchParamState()
  const q = get('q') ?? ''
  const tCase = useMessages(caseMessages)
  const tFile = useMessages(suiteFileMessages)
  const toCase = useCaseLink()
  const canEdit = usePermission()(suiteEndpoints.updateSuiteCase)
  const [open, setOpen] = useState<{ dialog: 'edit'; of: SuiteCase } | { dialog: 'add' | 'import' } | null>(null)
  const askDelete = useCaseDeletion(suite)
  const read = useRead(
    suiteEndpoints.listSuiteCases,
    { params: { suite_id: suite.id }, query: { q: q || undefined, page: get('page') ?? 1, limit: PAGE_SIZE_ROWS } },
    {
      pollIntervalMs: (reply) =>
        suite.last?.batch.state === 'running' || isBehind(suite, reply?.data ?? []) ? RUNNING_POLL_INTERVAL_MS : false,
    },
  )
  const columns: TableColumn<SuiteCase>[] = [
    {
      header: t('caseHead'),
      grows: true,
      cell: ({ id, name, input, tags, split }) => (
        <span className={classes.name}>
          <Link
            to={
              suite.target === 'retrieval' && input.query
                ? paths.retrieval(suite.about, { workspace: suite.workspace, q: input.query })
                : toCase(id)
            }
            dir="auto"
            title={name}
          >
            {name}
          </Link>
          {split || tags.length > 0 ? <span>{[...(split ? [split] : []), ...tags].join(', ')}</span> : null}
        </span>
      ),
    },
    { header: t('expected'), grows: true, cell: (one) => <Expectation suite={suite} expected={one.expected} /> },
    { header: t('lastTen'), cell: ({ results }) => <ResultMarks suite={suite} results={results} /> },
    {
      header: t('actions'),
      cell: (one) => (
        <CaseActions
          of={one}
          to={toCase(one.id)}
          canEdit={canEdit}
          onEdit={() => setOpen({ dialog: 'edit', of: one })}
          onDelete={() => askDelete(one)}
        />
      ),
    },
  ]
  const isApp = suite.target !== 'retrieval'
  const openCase = get('case')
  const addButtons = canEdit ? (
    <Group gap="sm" fz="sm">
      {isApp ? (
        <Button variant="default" onClick={() => setOpen({ dialog: 'add' })}>
          {t('addCase')}
        </Button>
      ) : null}
      <Button variant="default" onClick={() => setOpen({ dialog: 'import' })}>
        {tFile('importCases')}
      </Button>
    </Group>
  ) : undefined
  return (
    <>
      <ResourceList<SuiteCase>
        label={t('cases')}
        read={read}
        rows={read.data?.data}
        page={read.data}
        action={t('casesWhat')}
        search={{ label: tCase('searchCases'), param: 'q' }}
        filters={addButtons}
        isFiltered={q !== ''}
        columns={columns}
        getKey={({ id }) => id}
        empty={
          <EmptyState title={t('noCases')} actions={addButtons}>
            {t(isApp ? 'noAppCasesText' : 'noCasesText')}
          </EmptyState>
        }
        noMatch={
          <Text p="lg" fz="sm" c="dimmed">
            {tCase('noCaseMatches')}
          </Text>
        }
      />
      {open?.dialog === 'edit' || open?.dialog === 'add' ? (
        <CaseForm suite={suite} of={open.dialog === 'edit' ? open.of : null} onClose={() => setOpen(null)} />
      ) : null}
      {open?.dialog === 'import' ? <ImportCases suite={suite} onClose={() => setOpen(null)} /> : null}
      {openCase ? <CaseDrawer suite={suite} case_id={openCase} onClose={() => set({ case: null })} /> : null}
    </>
  )
}

function useCaseDeletion(suite: Suite): (deleted: SuiteCase) => void {
  const t = useMessages(suiteMessages)
  const remove = useWrite(suiteEndpoints.deleteSuiteCase)
  const openDelete = useDeleteDialog()
  return ({ id, name }) =>
    openDelete({
      title: t('deleteCaseTitle', { name }),
      lost: [t('deleteCaseLost')],
      kept: [t('deleteCaseKept')],
      confirmLabel: t('deleteCase'),
      cancelLabel: t('keepCase'),
      action: t('deleteCaseWhat'),
      run: () => remove.mutateAsync({ params: { suite_id: suite.id, case_id: id } }),
    })
}

function useCaseLink(): (case_id: string) => string {
  const [params] = useSearchParams()
  return (case_id) => {
    const changed = new URLSearchParams(params)
    changed.set('case', case_id)
    return `?${changed.toString()}`
  }
}

/** The cases were read before the end of the experiment that the suite shows. */
function isBehind({ last }: Suite, cases: readonly SuiteCase[]): boolean {
  if (!last) return false
  const { pass, fail, error } = last.outcomes
  const isDecided = pass + fail + error === last.batch.total
  return isDecided && cases.some(({ results: [newest] }) => newest?.experiment === last.id && newest.outcome === null)
}

interface CaseActionsProps {
  of: SuiteCase
  to: string
  canEdit: boolean
  onEdit: () => void
  onDelete: () => void
}

function CaseActions({ of, to, canEdit, onEdit, onDelete }: CaseActionsProps) {
  const t = useMessages(suiteMessages)
  const tCase = useMessages(caseMessages)
  return (
    <Group gap="xs" wrap="nowrap">
      <Tooltip label={tCase('showCase')}>
        <ActionIcon component={Link} to={to} aria-label={tCase('showCaseOf', { name: of.name })}>
          <IconHistory size={15} />
        </ActionIcon>
      </Tooltip>
      {canEdit ? (
        <>
          <Tooltip label={t('editCase')}>
            <ActionIcon aria-label={t('editCaseOf', { name: of.name })} onClick={onEdit}>
              <IconPencil size={15} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('deleteCase')}>
            <ActionIcon aria-label={t('deleteCaseOf', { name: of.name })} onClick={onDelete}>
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        </>
      ) : null}
    </Group>
  )
}

/** What a case expects: its answer, or a link to the segment or document. */
export function Expectation({ suite, expected }: { suite: Suite; expected: SuiteCase['expected'] }) {
  const t = useMessages(suiteMessages)
  const { first, more } = summarizeExpectation(expected)
  if (!first && expected.answer)
    return (
      <span title={expected.answer} dir="auto">
        {expected.answer}
      </span>
    )
  if (!first) return <span>{t('nothingExpected')}</span>
  const label = first.isDocument ? t('anyOf', { document: first.label }) : first.label
  const text = more > 0 ? t('andMore', { label, n: more }) : label
  // A source of an app's answer may be of any dataset.
  if (!first.document || suite.target !== 'retrieval') return <span title={text}>{text}</span>
  const search = { workspace: suite.workspace, ...(first.segment ? { segment: first.segment } : {}) }
  return (
    <Link to={paths.document(suite.about, first.document, search)} title={text}>
      {text}
    </Link>
  )
}

/** One mark for each experiment, newest first: the rank, or the outcome where retrieval was not measured. */
function ResultMarks({ suite, results }: { suite: Suite; results: readonly CaseResult[] }) {
  const t = useMessages(suiteMessages)
  if (results.length === 0) return <span>{t('notRun')}</span>
  const getText = ({ rank, outcome }: CaseResult) =>
    rank ? String(rank) : outcome === 'pass' ? '✓' : outcome === null ? '…' : '✗'
  const getTitle = ({ rank, outcome }: CaseResult) =>
    [rank === null ? null : rank === 0 ? t('missTitle') : t('rankTitle', { rank }), outcome]
      .filter(Boolean)
      .join(', ') || t('notRun')
  return (
    <span className={classes.marks}>
      {results.map((result) => (
        <Link
          data-above-row
          key={result.experiment}
          to={paths.suite(suite.id, { workspace: suite.workspace, experiment: result.experiment })}
          data-outcome={result.outcome ?? 'none'}
          title={getTitle(result)}
          aria-label={getTitle(result)}
        >
          {getText(result)}
        </Link>
      ))}
    </span>
  )
}
