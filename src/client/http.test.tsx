import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { requirements, SHARED_DATA, titleWith } from '#support/requirements.ts'
import { serveApi } from './consoleApi.testing.ts'
import { call } from './http.ts'

let reply: unknown
serveApi(
  http.get('*/parameters', () => HttpResponse.text(typeof reply === 'string' ? reply : JSON.stringify(reply))),
  http.get('*/documents', () => HttpResponse.json(reply as object)),
)
const readForm = async (user_input_form: unknown) => {
  reply = { opening_statement: 'Hi', user_input_form }
  return (await call(appParameterEndpoints.parameters, { key: 'k' })).user_input_form
}
const line = { 'text-input': { variable: 'line', label: 'Line', required: true } }

test.each([
  [{ select: { variable: 's', options: [1, true, 'b'], max_length: '48', required: 'true', hide: 0 } }, null],
  [{ select: { variable: 's', options: [{ value: 1 }, 'b'] } }, { select: { variable: 's' } }],
  [{ paragraph: { variable: 'p', label: { en: 'P' }, description: 5 } }, { paragraph: { variable: 'p' } }],
  [{ number: { variable: 7, default: 7 } }, { number: { default: 7 } }],
  [{ file: { variable: 'f', allowed_file_types: 'image' } }, { file: { variable: 'f' } }],
  [{ file: 'none' }, {}],
])('an unexpected part of a form hides no other field: %j', async (control, shown) => {
  expect(await readForm([control, line])).toEqual([shown ?? control, line])
})

test('a reply without what its contract requires is refused', async () => {
  reply = { data: [{ name: 'No id' }] }
  await expect(
    call(documentEndpoints.list, {
      key: 'k',
      params: { dataset_id: '96f9465c-523c-4a73-aee3-31c317abd40d' },
      query: {},
    }),
  ).rejects.toMatchObject({
    problem: { kind: 'mismatch', fields: [{ path: 'reply.data.0.id' }] },
  })
})

test('numbers keep their digits where the contract has any value, and are rounded where it has a number', async () => {
  reply = '{"system_parameters":{"file_size_limit":15.00000000000000000001},"user_input_form":[]}'
  expect(await call(appParameterEndpoints.parameters, { key: 'k' })).toMatchObject({
    system_parameters: { file_size_limit: 15 },
  })
  reply = '{"user_input_form":[{"number":{"variable":"n","default":9007199254740993}}]}'
  expect(JSON.stringify(await call(appParameterEndpoints.parameters, { key: 'k' }))).toBe(reply)
})

const SHARED_FORM = 'real-inputs/console/S39/form.json'
const sharedForm = requirements.sharedData(SHARED_FORM)
test.skipIf(!sharedForm.isMet)(titleWith(sharedForm, 'the shared form is read'), async () => {
  const form: unknown = JSON.parse(readFileSync(join(SHARED_DATA, SHARED_FORM), 'utf8'))
  expect(await readForm(form)).toEqual(form)
})
