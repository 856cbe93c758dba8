import { expect, test } from 'vitest'
import { foldRun } from './workflowEvents.ts'
import { emptyRun } from './runState.ts'
import {
  applyPlatformDefinition,
  findAnswerErrors,
  findFormToken,
  listPendingForms,
  listRunForms,
  splitFormContent,
} from './runForms.ts'

const definition = {
  form_id: 'f-1',
  node_id: 'ask',
  node_title: 'Ask',
  form_content: 'Check:\n\n{{#$output.comment#}}\n\nThen choose.',
  inputs: [
    { output_variable_name: 'comment', type: 'paragraph', default: { type: 'constant', selector: [], value: 'fine' } },
    { output_variable_name: 'tone', type: 'select', option_source: { type: 'constant', value: ['plain', 'warm'] } },
    { output_variable_name: 'note', type: 'paragraph', default: { type: 'variable', selector: ['a', 'b'], value: '' } },
    { output_variable_name: 'proofs', type: 'file-list', allowed_file_types: ['image'], number_limits: 2 },
  ],
  actions: [
    { id: 'approve', title: 'Approve', button_style: 'primary' },
    { id: 'reject', title: 'Reject' },
  ],
  form_token: 'secret-token',
  resolved_default_values: { note: 'from the run' },
  expiration_time: 1_795_491_113,
}
const event = (name: string, data: object) => ({ event: name, task_id: 't', workflow_run_id: 'r', data })
const started = event('node_started', { id: 'e-1', node_id: 'ask', node_type: 'human-input', title: 'Ask' })
const paused = event('workflow_paused', {
  status: 'paused',
  paused_nodes: ['ask'],
  reasons: [{ TYPE: 'human_input_required', ...definition }],
})
const foldAll = (events: unknown[]) => events.reduce(foldRun, emptyRun)
const waiting = foldAll([
  event('workflow_started', { id: 'r' }),
  started,
  event('human_input_required', definition),
  paused,
])

test('a form is read from its event: fields with their defaults, actions, deadline, and no token', () => {
  const [form, ...others] = listRunForms(waiting)
  expect(others).toEqual([])
  expect(form).toMatchObject({
    form_id: 'f-1',
    node_title: 'Ask',
    expires_at: '2026-11-24T03:31:53.000Z',
    can_answer: true,
    is_pending: true,
    outcome: null,
    actions: [
      { id: 'approve', title: 'Approve', style: 'primary' },
      { id: 'reject', title: 'Reject', style: 'default' },
    ],
  })
  expect(form?.fields.map(({ name, initial }) => [name, initial])).toEqual([
    ['comment', 'fine'],
    ['tone', ''],
    ['note', 'from the run'],
    ['proofs', ''],
  ])
  expect(form?.fields[3]?.files).toEqual({ types: ['image'], extensions: [], methods: [], maxFiles: 2 })
  expect(JSON.stringify(form)).not.toContain('secret-token')
  expect(findFormToken(waiting, 'f-1')).toBe('secret-token')
  expect(findFormToken(waiting, 'f-2')).toBeNull()
})

test('the reasons of a blocking reply hold the form as well', () => {
  const run = foldRun(emptyRun, {
    workflow_run_id: 'r',
    task_id: 't',
    data: { id: 'r', status: 'paused', reasons: [{ TYPE: 'human_input_required', ...definition }] },
  })
  expect(listPendingForms(run)).toHaveLength(1)
  expect(findFormToken(run, 'f-1')).toBe('secret-token')
})

test('a form without a token cannot be answered here', () => {
  const run = foldAll([
    started,
    event('human_input_required', { ...definition, form_token: null, approval_channels: ['console', 'email'] }),
    { ...paused, data: {} },
  ])
  expect(listPendingForms(run)).toMatchObject([{ can_answer: false, channels: ['console', 'email'] }])
})

test('a resumed run waits for its form no more; the end of the node says how it was answered', () => {
  const resumed = foldRun(waiting, event('workflow_started', { id: 'r', reason: 'resumption' }))
  expect(listRunForms(resumed)).toMatchObject([{ is_pending: false, outcome: null }])
  const outputs = { comment: 'good', __action_id: 'approve', __action_value: 'Approve', __rendered_content: 'x' }
  const answered = foldRun(resumed, event('node_finished', { id: 'e-1', node_id: 'ask', status: 'succeeded', outputs }))
  expect(listRunForms(answered)).toMatchObject([
    {
      is_pending: false,
      outcome: { has_expired: false, action_id: 'approve', action_title: 'Approve', inputs: { comment: 'good' } },
    },
  ])
  const expired = foldRun(
    resumed,
    event('node_finished', { id: 'e-1', node_id: 'ask', status: 'succeeded', outputs: { __action_id: '' } }),
  )
  expect(listRunForms(expired)).toMatchObject([{ outcome: { has_expired: true, action_id: null } }])
})

test('of two forms in turn only the later one is waited for', () => {
  const second = { ...definition, form_id: 'f-2', node_id: 'ask2', node_title: 'Ask again' }
  const run = [
    event('workflow_started', { id: 'r', reason: 'resumption' }),
    event('human_input_required', second),
    event('workflow_paused', { reasons: [{ TYPE: 'human_input_required', ...second }] }),
  ].reduce(foldRun, waiting)
  expect(listRunForms(run).map(({ form_id, is_pending }) => [form_id, is_pending])).toEqual([
    ['f-1', false],
    ['f-2', true],
  ])
})

test('a definition that is no form at all has no fields, and nothing throws', () => {
  const junk = { form_id: 'f', inputs: 'no', actions: [{}, null, 3], expiration_time: 1e300, form_content: 7 }
  const run = foldAll([event('human_input_required', junk), paused])
  expect(listRunForms(run).find(({ form_id }) => form_id === 'f')).toMatchObject({
    content: '',
    fields: [],
    actions: [],
    expires_at: null,
  })
})

test('the platform’s own definition replaces that of the event', () => {
  const [form] = listRunForms(waiting)
  if (!form) throw new Error('no form')
  const now = applyPlatformDefinition(form, {
    form_content: 'New text',
    inputs: [],
    user_actions: [{ id: 'go', title: 'Go' }],
    expiration_time: 1,
  })
  expect(now).toMatchObject({ form_id: 'f-1', content: 'New text', fields: [], actions: [{ id: 'go' }] })
})

const [form] = listRunForms(waiting)
const file = { type: 'image', transfer_method: 'remote_url', url: 'https://host/a.png' }
const good = { comment: '', tone: 'warm', note: 'n', proofs: [file] }

test.each([
  ['a whole answer', good, 'approve', []],
  ['an unknown action', good, 'bogus', [{ field: 'action', error: 'unknown_action' }]],
  ['a missing field', { ...good, comment: undefined }, 'approve', [{ field: 'comment', error: 'missing' }]],
  ['a number for text', { ...good, comment: 3 }, 'approve', [{ field: 'comment', error: 'not_text' }]],
  ['an option that is not in the list', { ...good, tone: 'loud' }, 'approve', [{ field: 'tone', error: 'not_option' }]],
  ['text for files', { ...good, proofs: 'a.png' }, 'approve', [{ field: 'proofs', error: 'not_file' }]],
  [
    'too many files',
    { ...good, proofs: [file, file, file] },
    'approve',
    [{ field: 'proofs', error: 'too_many_files' }],
  ],
  ['a field of no form', { ...good, more: 'x' }, 'approve', [{ field: 'more', error: 'unexpected' }]],
])('checks %s', (_, inputs, action, errors) => {
  if (!form) throw new Error('no form')
  expect(findAnswerErrors(form, { inputs, action })).toEqual(errors)
})

test('fields stand where the content names them, each once, and the others follow', () => {
  if (!form) throw new Error('no form')
  const parts = splitFormContent({ ...form, content: `${form.content} {{#$output.comment#}} {{#$output.nobody#}}` })
  expect(parts.map((part) => (part.kind === 'text' ? part.text.trim() : part.field.name))).toEqual([
    'Check:',
    'comment',
    'Then choose. {{#$output.comment#}} {{#$output.nobody#}}',
    'tone',
    'note',
    'proofs',
  ])
})
