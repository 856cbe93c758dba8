import { Button, Group, Menu, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useForm, FormProvider, type UseFormReturn } from 'react-hook-form'
import { compareRankings } from '#domain/retrieval/compareRankings.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { DatasetSuites, type ExperimentRun, type PendingCase } from './DatasetSuites.tsx'
import { retrievalMessages } from './messages.ts'
import { type SearchedDataset, SearchResults } from './SearchResults.tsx'
import type { RetrievalDialect, RetrievalSettingsForm } from './retrievalModelForm.ts'
import type { SearchFunction, SearchOutcome } from './retrievalSearch.ts'
import { findTestSettingErrors, toTestForm, toTestModel, toTestSettings, type TestSettings } from './testSettings.ts'
import { useRetrievalTestState, useSearch } from './useRetrievalTestState.ts'
import classes from './Retrieval.module.css'
import fields from '../../../components/forms/Fields.module.css'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useOptionLabel } from '../../../components/forms/FieldLabel.tsx'
import { renderFieldLabel } from '../../../components/forms/registerField.tsx'
import { useModels, RetrievalFields } from './RetrievalFields.tsx'
import { IconHistory } from '@tabler/icons-react'
import { callEndpoints } from '#contract/console/calls.ts'
import { useRead } from '../../../client/query.ts'

interface RetrievalTestProps {
  dataset_id: string
  search: SearchFunction
  /** What has to be filled in before anything can be asked. */
  missingFields: readonly string[]
  workspace: string
  /** The searched dataset; null if an app is tested, which has its own settings. */
  searched:
    | (SearchedDataset & { canListModels: boolean; canEditSegments: boolean; dialect: RetrievalDialect | null })
    | null
  /** The app that replaces the dataset. */
  app: ExperimentRun | null
  /** Distinguishes searches of one question: the metadata filter, or the app and its inputs. */
  scope: string
}

/** A question, the settings of this test, one or two columns of hits, and the suites of the dataset. */
export function RetrievalTest(props: RetrievalTestProps) {
  const { dataset_id, search, missingFields, workspace, searched, app, scope } = props
  const t = useMessages(retrievalMessages)
  const { searchQuery, request, search: submitSearch, openHit, setOpenHit } = useRetrievalTestState()
  const [question, setQuestion] = useState(searchQuery.query)
  const [isComparing, setComparing] = useState(searchQuery.b !== null)
  // A changed filter, or changed inputs of an app, count from the next search on.
  const [initialScope] = useState(scope)
  const [pendingCase, setPendingCase] = useState<PendingCase | null>(null)
  const record = searched?.record ?? null
  const formA = useForm<RetrievalSettingsForm>({ values: toTestForm(record, searchQuery.a) })
  const formB = useForm<RetrievalSettingsForm>({
    defaultValues: toTestForm(record, {}),
    // Without a comparison its settings stay as typed.
    ...(searchQuery.b ? { values: toTestForm(record, searchQuery.b) } : {}),
  })
  // Back and Forward bring another search into the URL.
  const searchKey = JSON.stringify(searchQuery)
  const [shownSearch, setShownSearch] = useState(searchKey)
  if (searchKey !== shownSearch) {
    setShownSearch(searchKey)
    setQuestion(searchQuery.query)
    setComparing(searchQuery.b !== null)
  }
  const dialect = searched?.dialect ?? null
  const columns = [searchQuery.a, ...(searchQuery.b ? [searchQuery.b] : [])]
  // Testing an app is a run, which a reload must not start.
  const isEnabled = missingFields.length === 0 && (searched !== null || request !== undefined)
  const toSearch = (settings: (typeof columns)[number] | undefined) => ({
    query: searchQuery.query,
    model: searched && settings ? toTestModel(record, settings, dialect) : undefined,
    requestedAt: request?.requestedAt ?? null,
    scope: request?.scope ?? initialScope,
    isPaid: searched === null,
  })
  const first = useSearch(search, toSearch(columns[0]), isEnabled)
  const second = useSearch(search, toSearch(columns[1]), isEnabled && columns.length > 1)
  const submit = () => {
    const query = question.trim()
    if (query === '' || missingFields.length > 0) return
    const isValid = [formA, ...(isComparing ? [formB] : [])].map((form) => {
      const settings = toTestSettings(record, form.getValues('retrieval_model'))
      const errors = searched ? findTestSettingErrors(toTestModel(record, settings, dialect)) : []
      form.clearErrors()
      for (const { path, message } of errors) form.setError(path as 'retrieval_model.top_k', { message })
      return errors.length === 0
    })
    if (isValid.includes(false)) return
    const toSettings = (form: typeof formA) => toTestSettings(record, form.getValues('retrieval_model'))
    submitSearch({ query, a: toSettings(formA), b: isComparing ? toSettings(formB) : null }, scope)
  }
  const toFieldProps = (form: typeof formA, index: 0 | 1) => ({
    form,
    title: isComparing ? t(index === 0 ? 'settingA' : 'settingB') : t('settings'),
    settings: columns[index] ?? {},
    dialect,
    modelListKeyId: searched?.canListModels ? searched.keyId : undefined,
  })
  const isSearching = first.isFetching || second.isFetching
  return (
    <Stack p="lg" gap="lg">
      <Stack maw={1080}>
        <InlineForm form={{ submit, isPending: isSearching }} label={t('title')} action={t('findWhat')}>
          <Group className={classes.search} gap="sm" align="start">
            <TextInput
              label={t('question')}
              description={t('queryText')}
              inputWrapperOrder={['label', 'input', 'description']}
              value={question}
              maxLength={250}
              onChange={(event) => setQuestion(event.currentTarget.value)}
            />
            <Button type="submit" loading={isSearching} disabled={question.trim() === '' || missingFields.length > 0}>
              {t('find')}
            </Button>
            {searched ? <RecentQuestions dataset_id={dataset_id} workspace={workspace} onChoose={setQuestion} /> : null}
          </Group>
          {searched ? (
            <>
              <SimpleGrid minColWidth="min(340px, 100%)" autoFlow="auto-fit" spacing="lg" verticalSpacing="md">
                <TestSettingFields {...toFieldProps(formA, 0)} />
                {isComparing ? <TestSettingFields {...toFieldProps(formB, 1)} /> : null}
              </SimpleGrid>
              <Switch
                label={t('compareSettings')}
                checked={isComparing}
                onChange={(event) => setComparing(event.currentTarget.checked)}
              />
            </>
          ) : null}
          {missingFields.length > 0 ? (
            <Text fz={13} c="var(--interrupted-fg)" role="status">
              {t('missingInputs', { names: missingFields.join(', ') })}
            </Text>
          ) : null}
        </InlineForm>
      </Stack>
      <SearchColumns
        {...{ columns: columns.length > 1 ? [first, second] : [first], dataset_id, workspace, searched, openHit }}
        question={searchQuery.query}
        onOpenHit={setOpenHit}
        onExpect={(expected) => setPendingCase({ query: searchQuery.query, expected })}
      />
      <DatasetSuites
        dataset_id={dataset_id}
        workspace={workspace}
        runWith={app ?? { retrieval_model: toTestModel(record, searchQuery.a, dialect) ?? null }}
        pendingCase={pendingCase}
        onAdded={() => setPendingCase(null)}
      />
    </Stack>
  )
}

interface SearchColumnsProps extends Pick<RetrievalTestProps, 'dataset_id' | 'workspace' | 'searched'> {
  columns: readonly ReturnType<typeof useSearch>[]
  question: string
  openHit: string | null
  onOpenHit: (segment_id: string | null) => void
  onExpect: (expected: PendingCase['expected']) => void
}

function SearchColumns({ columns, searched, ...props }: SearchColumnsProps) {
  const t = useMessages(retrievalMessages)
  const [first, second] = columns
  const toIds = (outcome: SearchOutcome) => outcome.hits.map(({ segment_id }) => segment_id)
  const comparison = first?.data && second?.data ? compareRankings(toIds(first.data), toIds(second.data)) : null
  return (
    <SimpleGrid
      minColWidth={columns.length > 1 ? 'min(340px, 100%)' : '100%'}
      autoFlow="auto-fit"
      spacing="lg"
      verticalSpacing="md"
    >
      {comparison ? (
        <Text fz={13} c="dimmed" role="status" style={{ gridColumn: '1 / -1' }}>
          {t('movement', comparison.counts)}
        </Text>
      ) : null}
      {columns.map((column, index) => (
        <Stack key={index === 0 ? 'a' : 'b'} gap="sm" maw={columns.length > 1 ? undefined : 860}>
          {columns.length > 1 ? (
            <Text component="h2" fw={600}>
              {t(index === 0 ? 'settingA' : 'settingB')}
            </Text>
          ) : null}
          <SearchResults
            {...props}
            label={columns.length > 1 ? t(index === 0 ? 'hitsA' : 'hitsB') : t('hits')}
            read={column}
            searched={searched}
            comparison={comparison && { of: index === 0 ? 'first' : 'second', changes: comparison.changes }}
            editKey={searched?.canEditSegments ? searched.keyId : null}
          />
        </Stack>
      ))}
    </SimpleGrid>
  )
}

interface TestSettingFieldsProps {
  form: UseFormReturn<RetrievalSettingsForm>
  /** `Settings`, or `Setting A` and `Setting B`. */
  title: string
  /** What differs from the dataset's settings in the search that is shown. */
  settings: TestSettings
  dialect: RetrievalDialect | null
  modelListKeyId: string | undefined
}

/** The settings of a test, folded; the summary names what differs from the dataset. They change nothing in the dataset. */
function TestSettingFields({ form, title, settings, dialect, modelListKeyId }: TestSettingFieldsProps) {
  const t = useMessages(retrievalMessages)
  const toOptionLabel = useOptionLabel()
  const rerankers = useModels(modelListKeyId, 'rerank')
  const changes = Object.entries(settings)
  return (
    <FormProvider {...form}>
      <details className={fields.fold} open={form.formState.errors.retrieval_model !== undefined || undefined}>
        <summary>
          {title}
          <Text span inherit fw={400} c="dimmed" ml="sm" style={{ overflowWrap: 'anywhere' }}>
            {changes.length > 0
              ? changes.map(([name, value], index) => (
                  <Fragment key={name}>
                    {index > 0 ? ', ' : null}
                    {renderFieldLabel(name)} {value ? toOptionLabel(value) : t('cleared')}
                  </Fragment>
                ))
              : t('asDataset')}
          </Text>
        </summary>
        <div>
          <p>{t('settingsHelp')}</p>
          <RetrievalFields detectedDialect={dialect} rerankers={rerankers} />
        </div>
      </details>
    </FormProvider>
  )
}

const MAX_QUESTIONS = 15
/** Maximum calls that are read: a suite repeats the same questions. */
const MAX_CALLS = 60

/** Questions asked of this dataset through the console, by anybody, newest first. */
function RecentQuestions({
  dataset_id,
  workspace,
  onChoose,
}: {
  dataset_id: string
  workspace: string
  onChoose: (question: string) => void
}) {
  const t = useMessages(retrievalMessages)
  const [isOpen, setOpen] = useState(false)
  const { data, isPending } = useRead(
    callEndpoints.listCalls,
    { query: { workspace, entry: 'adjacent.retrieve', resource: dataset_id, limit: MAX_CALLS } },
    { enabled: isOpen },
  )
  const questions = [...new Set((data?.data ?? []).map(({ title }) => title))].filter((title) => !title.startsWith('/'))
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconHistory size={14} />}>
          {t('recent')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {questions.slice(0, MAX_QUESTIONS).map((question) => (
          <Menu.Item key={question} onClick={() => onChoose(question)}>
            {question.slice(0, 90)}
          </Menu.Item>
        ))}
        {questions.length === 0 ? <Menu.Label>{isPending ? t('loading') : t('noRecent')}</Menu.Label> : null}
      </Menu.Dropdown>
    </Menu>
  )
}
