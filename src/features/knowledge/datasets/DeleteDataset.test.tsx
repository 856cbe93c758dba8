import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { serveApi } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { makeKey, makeWorkspace } from '../../../client/session.testing.ts'
import { DeleteDataset } from './DeleteDataset.tsx'

const shop = makeKey('chat', 'Shop')
const desk = makeKey('chat', 'Front desk')
let apps: string[] = []
serveApi(
  http.get('*/api/retrieved-documents', () =>
    HttpResponse.json({ data: [], total: 0, apps, questions: 3, is_complete: true }),
  ),
)
const show = async () => {
  renderPage(
    <DeleteDataset
      dataset_id="96f9465c-523c-4a73-aee3-31c317abd40d"
      name="Tea"
      record={null}
      workspace={makeWorkspace({ keys: [shop, desk] })}
      keyId="k"
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
}

test('the dialog names the apps whose answers cited the dataset, which the platform does not protect', async () => {
  apps = [desk.id]
  await show()
  expect(await screen.findByText(/answers of these apps cited it: Front desk\./)).toBeDefined()
  expect(screen.getByText(/The platform allows this even while apps use the dataset\./)).toBeDefined()
})

test('where no answer cited it, the dialog says how far back it looked', async () => {
  apps = []
  await show()
  expect(await screen.findByText(/No answer recorded here in the last 30 days cited it\./)).toBeDefined()
})
