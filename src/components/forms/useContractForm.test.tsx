import { Radio, TextInput } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Link } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { renderPage } from '../../client/page.testing.tsx'
import { NavigationGuard } from '../layout/NavigationGuard.tsx'
import { FormDrawer } from './FormDrawer.tsx'
import { useContractForm } from './useContractForm.ts'

const Body = z.object({
  name: z.string().min(1, { error: 'is required' }).regex(/^\w+$/, { error: 'has letters only' }),
  role: z.enum(['viewer', 'admin']),
  team: z.string().optional(),
})

const send = vi.fn<(body: z.output<typeof Body>) => Promise<string>>()
const onClose = vi.fn()
const onDone = vi.fn()
beforeEach(() => {
  sessionStorage.clear()
  history.replaceState(null, '', '/form')
  for (const mock of [send, onClose, onDone]) mock.mockReset()
})

function Invitation({ draftName }: { draftName?: string }) {
  const form = useContractForm({
    schema: Body,
    initialValues: { name: '', role: 'viewer' },
    toBody: ({ name, ...rest }) => ({ name: name.trim(), ...rest }),
    draftName,
    send,
    onDone,
  })
  return (
    <FormDrawer form={form} title="Invite a person" submitLabel="Invite" action="invite the person" onClose={onClose}>
      <TextInput {...form.field('name')} label="Name" data-autofocus />
      <Radio.Group {...form.controlled('role')} label="Role">
        <Radio value="viewer" label="viewer" />
        <Radio value="admin" label="admin" />
      </Radio.Group>
      {form.isDirty ? <p>changed</p> : null}
      <Link to="/next">leave</Link>
    </FormDrawer>
  )
}

const renderForm = (draftName?: string) =>
  renderPage(
    <NavigationGuard>
      <Invitation {...(draftName === undefined ? {} : { draftName })} />
    </NavigationGuard>,
    { router: 'window' },
  )
const nameInput = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Invite' }))
const problem = (fields: Problem['fields']): Problem => ({ kind: 'invalid', message: 'body.name is taken', fields })

test('the schema is checked before anything is sent, and its error is at the input', async () => {
  renderForm()
  await submit()
  expect(await screen.findByText('Is required.')).toBeDefined()
  expect(nameInput().getAttribute('aria-invalid')).toBe('true')
  expect(send).not.toHaveBeenCalled()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the body is sent once, and the form is done', async () => {
  send.mockResolvedValue('invited')
  renderForm()
  await userEvent.type(nameInput(), ' Mira ')
  await userEvent.click(screen.getByRole('radio', { name: 'admin' }))
  await submit()
  await waitFor(() => expect(onDone).toHaveBeenCalledWith('invited', { name: 'Mira', role: 'admin' }))
  expect(send).toHaveBeenCalledOnce()
})

test.each([
  ['at the input', [{ path: 'body.name', message: 'is taken' }], 'Is taken.', null],
  ['in the box without an input', [{ path: 'body.team', message: 'is gone' }], null, /body\.name is taken/],
  [
    'at both',
    [
      { path: 'body.name', message: 'is taken' },
      { path: 'body.team', message: 'is gone' },
    ],
    'Is taken.',
    /body\.team is gone/,
  ],
  ['in the box without a field', undefined, null, /body\.name is taken/],
])('a problem is shown %s', async (_, fields, atInput, inBox) => {
  send.mockRejectedValue(new ProblemError(problem(fields)))
  renderForm()
  await userEvent.type(nameInput(), 'Mira')
  await submit()
  await waitFor(() => expect(send).toHaveBeenCalled())
  if (atInput) expect(await screen.findByText(atInput)).toBeDefined()
  if (inBox) expect((await screen.findByRole('alert')).textContent).toMatch(inBox)
  else expect(screen.queryByRole('alert')).toBeNull()
  expect(nameInput().value).toBe('Mira')
  expect(onDone).not.toHaveBeenCalled()
})

test('Escape closes a form unless that would lose input', async () => {
  renderForm()
  await userEvent.type(nameInput(), 'Mira{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.clear(nameInput())
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})

test('a link that would lose input asks first', async () => {
  renderForm()
  await userEvent.type(nameInput(), 'Mira')
  await userEvent.click(screen.getByRole('link', { name: 'leave' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(location.pathname).toBe('/form')
  await userEvent.click(screen.getByRole('link', { name: 'leave' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  expect(location.pathname).toBe('/next')
})

test('a draft survives closing until it is sent', async () => {
  send.mockResolvedValue('invited')
  const { unmount } = renderForm('person')
  await userEvent.type(nameInput(), 'Mira{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
  unmount()
  const second = renderForm('person')
  expect(nameInput().value).toBe('Mira')
  await submit()
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  second.unmount()
  renderForm('person')
  expect(nameInput().value).toBe('')
})

test('what was restored from a draft is the new base once it is sent', async () => {
  send.mockResolvedValue('invited')
  const { unmount } = renderForm('person')
  await userEvent.type(nameInput(), 'Mira')
  unmount()
  renderForm('person')
  expect(screen.getByText('changed')).toBeDefined()
  await submit()
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(screen.queryByText('changed')).toBeNull()
})
