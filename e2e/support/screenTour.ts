import type { Page } from '@playwright/test'
import { answerWithDrift } from './platforms/driftingPlatform.ts'
import { answerSlowly, createAnswerIds } from './platforms/scriptedPlatform.ts'
import { expect, type FaultyWorkspace } from './fixtures.ts'

/** The URLs of all screens, with something to show on each; `prepare` fills in what a screen shows on demand. */
export async function prepareScreens(
  page: Page,
  workspace: FaultyWorkspace,
  url: string,
): Promise<{ places: string[]; prepare: (place: string) => Promise<void> }> {
  workspace.platform.script = (_seen, response) =>
    answerSlowly(
      response,
      createAnswerIds(),
      ['A **bold** answer.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```js\nlet x = 1\n```\n'],
      5,
    )
  await page.goto(workspace.chat)
  await page.getByRole('textbox', { name: 'Your question' }).fill('Show me.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('log')).toContainText('bold')
  await expect(page.locator('pre [data-scope="keyword"]')).toHaveText('let')
  // One answer that differs from the contract, so that there is drift to be shown.
  workspace.platform.script = answerWithDrift
  await page.request.get(`${url}/api/keys/${workspace.chatKey}/parameters`)
  await expect(page.getByText('first token').first()).toBeVisible()
  const chat = page.url()
  const resources = (await (await page.request.get(`${url}/api/resources?kind=dataset`)).json()) as {
    data: { id: string; workspace: string }[]
  }
  const dataset = resources.data[0]
  const run = new URL(chat).searchParams.get('run')
  const cells = ['a', 'b'].map((id) => ({
    id,
    key: id === 'a' ? workspace.chatKey : null,
    own: null,
    runs: [run],
  }))
  const kept = await page.request.post(`${url}/api/saved-items`, {
    headers: { 'x-console': '1' },
    data: { kind: 'board', workspace: workspace.id, name: 'Board', value: { cells, repeat: 2 } },
  })
  const board = ((await kept.json()) as { id: string }).id
  const search = `workspace=${dataset?.workspace}`
  const workspaces = (await (await page.request.get(`${url}/api/workspaces`)).json()) as {
    data: { id: string; keys: { id: string; kind: string }[] }[]
  }
  const keys = workspaces.data.find(({ id }) => id === dataset?.workspace)?.keys ?? []
  const documents = `/datasets/${dataset?.id}/documents`
  const firstOf = async (path: string) => {
    const key = keys.find(({ kind }) => kind === 'knowledge')?.id
    const reply = await page.request.get(`${url}/api/keys/${key}${path}`)
    return ((await reply.json()) as { data: { id: string }[] }).data[0]?.id
  }
  const manual = await firstOf(documents)
  const segment = await firstOf(`${documents}/${manual}/segments`)
  const preparations: Record<string, () => Promise<void>> = {
    '/lab': async () => {
      await page.getByRole('textbox', { name: 'Text to split' }).fill('One part.\n\n| a | b |\n\nAnother part.')
      await expect(page.getByRole('article').first()).toBeVisible()
      await page.getByRole('button', { name: 'Compare with another setting' }).click()
      await expect(page.getByRole('region', { name: 'Setting B' }).getByRole('article').first()).toBeVisible()
    },
    [`/datasets/${dataset?.id}/retrieval?${search}`]: async () => {
      await page.getByRole('textbox', { name: 'Question' }).fill('What is Loupe?')
      await page.getByRole('button', { name: 'Find' }).click()
      await expect(page.getByRole('button', { name: 'Expect this segment' }).first()).toBeVisible()
    },
    [`${documents}/${manual}?${search}&segment=${segment}&child=segment`]: () =>
      expect(page.getByRole('textbox', { name: 'content' })).toBeVisible(),
  }
  const places = [
    chat,
    url,
    `${url}/completion`,
    `${url}/runs`,
    `${url}/runs?workspace=${workspace.id}`,
    `${url}/runs/${new URL(chat).searchParams.get('run')}`,
    `${url}/runs/${new URL(chat).searchParams.get('run')}?replay=1`,
    `${url}/runs/${new URL(chat).searchParams.get('run')}?with=choose`,
    `${url}/datasets`,
    `${url}/datasets/${dataset?.id}?${search}`,
    `${url}/datasets/${dataset?.id}/settings?${search}`,
    ...Object.keys(preparations).map((path) => url + path),
    `${url}/ledger?workspace=${workspace.id}`,
    `${url}/ledger?workspace=${workspace.id}&call=${run}`,
    `${url}/drift?workspace=${workspace.id}`,
    `${url}/drift?workspace=${workspace.id}&view=never`,
    `${url}/annotations?${search}`,
    `${url}/annotations?${search}&view=reply`,
    `${url}/annotations?${search}&view=review`,
    `${url}/annotations?${search}&view=import`,
    `${url}/batches`,
    `${url}/batches/new`,
    `${url}/runs/open`,
    `${url}/compare?workspace=${workspace.id}&run=${run}`,
    `${url}/compare/${board}`,
    `${url}/compare/${board}?show=differences`,
    `${url}/waiting`,
    `${url}/servers`,
    `${url}/nowhere`,
  ]
  return { places, prepare: async (place) => preparations[place.replace(url, '')]?.() }
}
