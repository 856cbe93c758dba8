import { ActionIcon, Button, Checkbox, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Check, type CheckType, MAX_CHECKS, PAIRWISE_REFERENCES, parseCheckType } from '#contract/console/checks.ts'
import type { SuiteTarget } from '#contract/console/suites.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import fields from '../../../components/forms/Fields.module.css'
import { NumberField } from '../../../components/forms/NumberField.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { toLines } from './caseDraft.ts'
import { CHECK_FIELDS, CHECK_GROUPS, type CheckField } from './checkFields.ts'
import { testCaseMessages } from './messages.ts'

export interface ChecksFieldProps {
  /** Whose apps may judge. */
  workspace: string
  target: SuiteTarget
  checks: readonly Check[]
  onChange: (checks: Check[]) => void
  /** Names the parameters that are missing. */
  showsErrors: boolean
}

/** The checks of a case or a suite: each with its type, its parameters, and whether it is negated. */
export function ChecksField({ workspace, target, checks, onChange, showsErrors }: ChecksFieldProps) {
  const t = useMessages(testCaseMessages)
  // Which row is which, where one is removed from between.
  const [keys, setKeys] = useState(() => checks.map((_, index) => index))
  const replace = (at: number, check: Check) => onChange(checks.with(at, check))
  const add = () => {
    onChange([...checks, { type: CHECK_GROUPS[target][0]?.types[0] ?? 'equals' }])
    setKeys([...keys, Math.max(-1, ...keys) + 1])
  }
  const remove = (at: number) => {
    onChange(checks.toSpliced(at, 1))
    setKeys(keys.toSpliced(at, 1))
  }
  return (
    <fieldset className={fields.group}>
      <legend>{t('checks')}</legend>
      {checks.map((check, index) => (
        <CheckRow
          key={keys[index]}
          number={index + 1}
          workspace={workspace}
          target={target}
          check={check}
          error={showsErrors ? findError(check) : null}
          onChange={(next) => replace(index, next)}
          onRemove={() => remove(index)}
        />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        mr="auto"
        leftSection={<IconPlus size={13} />}
        disabled={checks.length >= MAX_CHECKS}
        onClick={add}
      >
        {t('addCheck')}
      </Button>
    </fieldset>
  )
}

function findError(check: Check): { field: string; message: string } | null {
  const [issue] = Check.safeParse(check).error?.issues ?? []
  return issue ? { field: String(issue.path[0] ?? ''), message: issue.message } : null
}

interface CheckRowProps {
  workspace: string
  number: number
  target: SuiteTarget
  check: Check
  error: { field: string; message: string } | null
  onChange: (check: Check) => void
  onRemove: () => void
}

function CheckRow({ workspace, number, target, check, error, onChange, onRemove }: CheckRowProps) {
  const t = useMessages(testCaseMessages)
  const { type, isNegated } = parseCheckType(check.type)
  const toName = (name: CheckType, negated: boolean): Check['type'] => (negated ? `not-${name}` : name)
  const { weight, metric } = check
  const kept = { ...(weight === undefined ? {} : { weight }), ...(metric === undefined ? {} : { metric }) }
  const groups = CHECK_GROUPS[target].map(({ name, types }) => ({
    group: t(`groups.${name}`),
    items: types.map((value) => ({ value, label: t(`types.${value}`) })),
  }))
  const renderParameter = (field: CheckField) => (
    <ParameterField
      key={`${type} ${field}`}
      workspace={workspace}
      number={number}
      type={type}
      field={field}
      check={check}
      error={error}
      onChange={onChange}
    />
  )
  return (
    <Stack
      gap="sm"
      pb="md"
      style={{ borderBottom: '1px solid var(--line)' }}
      role="group"
      aria-label={t('check', { number })}
    >
      <Group gap="sm">
        <NativeSelect
          flex="1 1 140px"
          aria-label={t('type')}
          value={type}
          data={groups}
          onChange={(event) => onChange({ ...kept, type: toName(event.currentTarget.value as CheckType, isNegated) })}
        />
        <Checkbox
          size="xs"
          label={t('isNegated')}
          checked={isNegated}
          onChange={(event) => onChange({ ...check, type: toName(type, event.currentTarget.checked) })}
        />
        <ActionIcon aria-label={t('removeCheck', { number })} onClick={onRemove}>
          <IconTrash size={15} />
        </ActionIcon>
      </Group>
      {CHECK_FIELDS[type].map(renderParameter)}
      <details className={fields.fold} open={weight !== undefined || metric !== undefined || undefined}>
        <summary>{t('weightAndMetric')}</summary>
        <div className={fields.row}>{(['metric', 'weight'] as const).map(renderParameter)}</div>
      </details>
    </Stack>
  )
}

interface ParameterFieldProps extends Pick<CheckRowProps, 'workspace' | 'number' | 'check' | 'error' | 'onChange'> {
  type: CheckType
  field: CheckField
}

function ParameterField({ workspace, number, type, field, check, error, onChange }: ParameterFieldProps) {
  const t = useMessages(testCaseMessages)
  const isValue = field === 'text' || field === 'lines' || field === 'json'
  const name = isValue ? 'value' : field
  const limit = LIMITS[type]
  const hint = HINTS[type]?.[field] ?? COMMON_HINTS[field]
  const shared = {
    // The form finds the input of an error in its checks by this name.
    name: `checks.${number - 1}.${name}`,
    label: field === 'threshold' && limit ? t(`limits.${limit}`) : t(`fields.${field}`),
    description: hint ? t(`hints.${hint}`) : undefined,
    error: error?.field === name ? error.message : undefined,
  }
  /** An empty field has no value. */
  const set = (value: unknown) => {
    const { [name]: _, ...others } = check
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  if (isValue) return <ValueField {...shared} format={field} value={check.value} onChange={set} />
  if (field === 'judge') return <JudgeField {...shared} workspace={workspace} value={check.judge} onChange={set} />
  if (field === 'against')
    return (
      <NativeSelect
        label={shared.label}
        value={check.against ?? 'expected'}
        data={PAIRWISE_REFERENCES.map((value) => ({ value, label: t(`references.${value}`) }))}
        onChange={(event) => set(event.currentTarget.value === 'expected' ? undefined : event.currentTarget.value)}
      />
    )
  if (field === 'node' || field === 'path' || field === 'currency' || field === 'input' || field === 'metric')
    return (
      <TextInput
        {...shared}
        value={check[field] ?? ''}
        autoComplete="off"
        onChange={(event) => set(event.currentTarget.value || undefined)}
      />
    )
  return (
    <NumberField
      {...shared}
      number={check[field] ?? null}
      min={0}
      allowDecimal={field === 'threshold' || field === 'weight'}
      onNumber={(number) => set(number ?? undefined)}
    />
  )
}

interface JudgeFieldProps {
  workspace: string
  name: string
  label: string
  description: string | undefined
  error: string | undefined
  /** The id of its key. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** The app of the workspace that judges. */
function JudgeField({ workspace, value, onChange, ...field }: JudgeFieldProps) {
  const t = useMessages(testCaseMessages)
  const { workspaces } = useWorkspace()
  const keys = workspaces.find(({ id }) => id === workspace)?.keys ?? []
  return (
    <NativeSelect
      {...field}
      value={value ?? ''}
      data={[
        { value: '', label: t('chooseJudge') },
        ...keys.flatMap(({ id, label, kind }) =>
          kind === 'knowledge' ? [] : [{ value: id, label: t('judgeOfKind', { label, kind: t(`kinds.${kind}`) }) }],
        ),
      ]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  )
}

interface ValueFieldProps {
  name: string
  label: string
  description: string | undefined
  error: string | undefined
  format: 'text' | 'lines' | 'json'
  value: unknown
  onChange: (value: unknown) => void
}

/** Keeps the text as typed: invalid JSON is text. */
function ValueField({ format, value, onChange, ...field }: ValueFieldProps) {
  const [text, setText] = useState(() => toValueText(format, value))
  return (
    <Textarea
      {...field}
      value={text}
      autosize
      minRows={1}
      maxRows={8}
      dir="auto"
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(parseValue(format, event.currentTarget.value))
      }}
    />
  )
}

function toValueText(format: ValueFieldProps['format'], value: unknown): string {
  if (value === undefined) return ''
  if (format === 'lines') return [value].flat().map(String).join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function parseValue(format: ValueFieldProps['format'], text: string): unknown {
  if (text === '') return undefined
  if (format === 'lines') return toLines(text)
  if (format === 'text') return text
  try {
    return parseLosslessJson(text)
  } catch {
    return text
  }
}

/** Types whose threshold is the most that passes. */
const LIMITS: Partial<Record<CheckType, 'ms' | 'tokens' | 'cost' | 'edits' | 'times'>> = {
  'first-token': 'ms',
  latency: 'ms',
  'longest-stall': 'ms',
  'node-latency': 'ms',
  tokens: 'tokens',
  cost: 'cost',
  levenshtein: 'edits',
  retries: 'times',
  exceptions: 'times',
  'no-drift': 'times',
}

const COMMON_HINTS: Partial<Record<CheckField, Hint>> = { metric: 'metric', weight: 'weight' }

type Hint = keyof (typeof testCaseMessages)['hints']
const TEXT_HINT = { text: 'emptyText' } as const
const JUDGE_HINTS = { judge: 'judge', input: 'judgeInput', threshold: 'judgeThreshold' } as const
const HINTS: Partial<Record<CheckType, Partial<Record<CheckField, Hint>>>> = {
  equals: TEXT_HINT,
  contains: TEXT_HINT,
  icontains: TEXT_HINT,
  'starts-with': TEXT_HINT,
  levenshtein: TEXT_HINT,
  'rouge-n': { ...TEXT_HINT, threshold: 'ownThreshold' },
  similar: { ...TEXT_HINT, threshold: 'ownThreshold' },
  regex: { text: 'pattern' },
  'is-json': { json: 'schema' },
  'contains-json': { json: 'schema' },
  'json-path': { path: 'answerPath', json: 'anyValue' },
  'node-output': { path: 'nodePath', json: 'anyValue' },
  retries: { node: 'anyNode' },
  'llm-rubric': { ...JUDGE_HINTS, text: 'rubric' },
  factuality: { ...TEXT_HINT, ...JUDGE_HINTS },
  'context-faithfulness': JUDGE_HINTS,
  'context-recall': { ...TEXT_HINT, ...JUDGE_HINTS },
  pairwise: { ...JUDGE_HINTS, text: 'criterion' },
}
