import { existsSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test as base } from '#support/fixtures.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import { replayRecording } from '#support/platforms/replayPlatform.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import {
  readRecordings,
  type RecordedExchange,
  SAMPLE_RECORDINGS,
  SHARED_RECORDINGS,
} from '#support/recordings/recordings.ts'
import { clickRun } from '#support/workflowFixtures.ts'

/** The recordings of real servers where this machine has them, else our own samples of the same exchanges. */
const recordings = readRecordings(existsSync(SHARED_RECORDINGS) ? SHARED_RECORDINGS : SAMPLE_RECORDINGS)

/** A workspace whose platform answers what a release was recorded to answer. */
interface ReplayedWorkspace {
  id: string
  exchanges: RecordedExchange[]
  /** The names of the exchanges to answer with, where an operation was recorded more than once. */
  chosen: Set<string>
  keys: Record<'knowledge' | 'chat' | 'workflow', string>
}

const test = base.extend<{ openRelease: (release: string) => Promise<ReplayedWorkspace> }>({
  openRelease: async ({ signedInPage, loupe }, use) => {
    const platforms: ScriptedPlatform[] = []
    await use(async (release) => {
      const platform = await ScriptedPlatform.start()
      platforms.push(platform)
      const exchanges = recordings.find(({ name }) => name.endsWith(`-${release}`))?.exchanges ?? []
      const chosen = new Set<string>()
      // Until then it answers 404, which leaves the kinds of the keys to the person.
      const workspace = await addWorkspace(signedInPage, loupe, release, platform.url)
      platform.script = replayRecording(exchanges, chosen)
      return { exchanges, chosen, ...workspace }
    })
    for (const platform of platforms) await platform.close()
  },
})

async function addWorkspace(page: Page, { url }: LoupeProcess, release: string, base_url: string) {
  const post = async (path: string, data: unknown) => {
    const response = await page.request.post(`${url}${path}`, { headers: { 'x-console': '1' }, data })
    expect(response.ok(), await response.text()).toBe(true)
    return ((await response.json()) as { id: string }).id
  }
  const id = await post('/api/workspaces', { name: `Release ${release}`, base_url })
  const addKey = (kind: string) =>
    post(`/api/workspaces/${id}/keys`, { kind, label: `Replayed ${kind}`, key: `key-${kind}-${release}` })
  return {
    id,
    keys: { knowledge: await addKey('knowledge'), chat: await addKey('chat'), workflow: await addKey('workflow') },
  }
}

/** The text of a recorded answer: all of its pieces. */
const readAnswer = (exchanges: readonly RecordedExchange[], name: string): string =>
  (exchanges.find((one) => one.name === name)?.response.body ?? '')
    .split('\n')
    .flatMap((line) =>
      line.startsWith('data: {"event":"message"') ? [(JSON.parse(line.slice(6)) as { answer: string }).answer] : [],
    )
    .join('')

for (const release of ['1.9', '1.16', '1.16.1']) {
  test.describe(`a platform of release ${release}`, () => {
    test('answers in a chatflow, refuses inputs and knows no such run: each is told as what it is', async ({
      signedInPage,
      loupe,
      openRelease,
    }) => {
      const { id, exchanges, chosen, keys } = await openRelease(release)
      for (const name of ['parameters, chatflow', 'chatflow, streaming']) chosen.add(name)
      await signedInPage.goto(`${loupe.url}/chat?workspace=${id}&app=${keys.chat}`)
      await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('What is it?')
      await signedInPage.keyboard.press('Control+Enter')
      const answer = readAnswer(exchanges, 'chatflow, streaming')
      expect(answer).not.toBe('')
      await expect(signedInPage.getByRole('log').getByRole('article', { name: 'Answer' }).last()).toContainText(answer)
      await expect(signedInPage.getByRole('alert')).toHaveCount(0)

      for (const name of ['parameters, chatflow', 'chatflow, streaming']) chosen.delete(name)
      for (const name of ['parameters, workflow', 'workflow, input missing', 'run detail, unknown']) chosen.add(name)
      await signedInPage.goto(`${loupe.url}/workflows?workspace=${id}&app=${keys.workflow}`)
      await signedInPage.getByRole('textbox', { name: 'query' }).fill('fire')
      await clickRun(signedInPage)
      await expect(signedInPage.getByText('query is required in input form').first()).toBeVisible()

      await signedInPage.goto(`${loupe.url}/runs/0f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01?workspace=${id}`)
      const adopt = signedInPage.getByRole('form', { name: 'Load a run by its id' })
      await adopt.getByRole('button', { name: 'Load run' }).click()
      await expect(signedInPage.getByRole('alert')).toContainText(/no run with this id/)
    })

    test('is no drift, and its own behaviour is explained', async ({ signedInPage, loupe, openRelease }) => {
      const { id, exchanges, chosen, keys } = await openRelease(release)
      const api = `${loupe.url}/api/keys/${keys.knowledge}`
      for (const name of ['dataset list', 'dataset delete']) {
        const exchange = exchanges.find((one) => one.name === name)
        chosen.add(name)
        const reply = await signedInPage.request.fetch(`${api}${exchange?.request.path}`, {
          method: exchange?.request.method,
          headers: { 'x-console': '1' },
        })
        expect([name, reply.status(), await reply.text()]).toEqual([
          name,
          exchange?.response.status,
          exchange?.response.body,
        ])
      }
      await signedInPage.goto(`${loupe.url}/drift?workspace=${id}`)
      await expect(signedInPage.getByText('No drift', { exact: true })).toBeVisible()
      await signedInPage.getByText('Known differences of releases').click()
      const table = signedInPage.getByRole('table', { name: 'Known differences of releases' })
      await expect(table.getByRole('columnheader', { name: `${release}, this workspace` })).toBeVisible()
      await expect(table.getByRole('row', { name: /^Detail of an unknown run/ })).toContainText(
        '200 with every field null',
      )

      await signedInPage.getByRole('combobox', { name: 'View' }).selectOption('never')
      await signedInPage.getByRole('combobox', { name: 'Operation' }).selectOption('adjacent.listDatasets')
      const never = signedInPage.getByRole('table', { name: 'In the contract, never observed' })
      await expect(never.getByRole('row').first()).toContainText('Sent by')
      await expect(never.getByRole('row').filter({ hasText: 'data[].maintainer' })).toHaveCount(
        release === '1.9' ? 1 : 0,
      )
    })
  })
}
