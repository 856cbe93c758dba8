import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { askQuestion, lastAnswer } from '#support/chatPage.ts'
import { expect, test as base } from '#support/fixtures.ts'
import { replayRecording } from '#support/platforms/replayPlatform.ts'
import { createJsonSender } from '#support/postJson.ts'
import { readRecordings, SAMPLE_RECORDINGS } from '#support/recordings/recordings.ts'
import { clickRun } from '#support/workflowFixtures.ts'

/** Replays the exchanges of these names from an app of release 1.16.1, and opens the app. */
type OpenApp = (app: string, ...names: string[]) => Promise<void>

const test = base.extend<{ openApp: OpenApp }>({
  openApp: async ({ signedInPage, loupe, faultyWorkspace: { id: workspace, platform } }, use) => {
    const release = readRecordings(SAMPLE_RECORDINGS).find(({ name }) => name === 'release-1.16.1')
    const postJson = createJsonSender(signedInPage.request, loupe.url)
    await use(async (app, ...names) => {
      const ofApp = Map.groupBy(release?.exchanges ?? [], ({ request }) => request.key === app)
      const exchanges = [...(ofApp.get(true) ?? []), ...(ofApp.get(false) ?? [])]
      platform.script = replayRecording(exchanges, new Set(names))
      const kind = app === 'completion' || app === 'workflow' ? app : 'chat'
      const keys = `/api/workspaces/${workspace}/keys`
      const { id } = await postJson(keys, { kind, label: `Replayed ${app}`, key: `app-${randomUUID()}` })
      await postJson(`${keys}/${id}/probe`, {})
      const screen = kind === 'workflow' ? 'workflows' : kind
      await signedInPage.goto(`${loupe.url}/${screen}?workspace=${workspace}&app=${id}`)
    })
  },
})

const startRun: Record<string, (page: Page) => Promise<void>> = {
  completion: async (page) => {
    await page.getByRole('textbox', { name: 'Piece' }).fill('a bowl')
    await clickRun(page)
  },
  workflow: async (page) => {
    await page.getByRole('textbox', { name: 'query' }).fill('fire')
    await clickRun(page)
  },
}

/** A stop of each kind of app, and what is known of the answer then. */
const STOPS = {
  'with zeros': {
    sentence: /Stopped by .+ after frame \d+\. What was received is saved\./,
    runs: [
      ['chat', 'chat, stopped by its user', 'chat, messages after the stop'],
      ['completion', 'completion, stopped by its user'],
      ['agent', 'agent-chat, stopped by its user', 'agent-chat, messages after the stop'],
      ['newagent', 'new agent, stopped by its user', 'new agent, messages after the stop'],
      ['chatflow', 'chatflow, stopped by its user', 'chatflow, messages after the stop'],
      ['workflow', 'workflow, stopped by its user', 'workflow, run detail after the stop'],
    ],
  },
  'with tokens that the platform counted by its plugins': {
    sentence: /Stopped by .+ after frame \d+\. The answer may be cut\./,
    runs: [
      [
        'chat',
        'chat, stopped by its user, tokens counted by plugins',
        'chat, messages after the stop, tokens counted by plugins',
      ],
      ['completion', 'completion, stopped by its user, tokens counted by plugins'],
      [
        'agent',
        'agent-chat, stopped by its user, tokens counted by plugins',
        'agent-chat, messages after the stop, tokens counted by plugins',
      ],
      [
        'newagent',
        'new agent, stopped by its user, tokens counted by plugins',
        'new agent, messages after the stop, tokens counted by plugins',
      ],
    ],
  },
}

for (const [title, { sentence, runs }] of Object.entries(STOPS))
  test(`a stop ${title} is shown as a stop, with the part that came`, async ({
    signedInPage: page,
    loupe,
    faultyWorkspace,
    openApp,
  }) => {
    for (const [app = '', ...names] of runs)
      await test.step(app, async () => {
        await openApp(app, ...names)
        await (startRun[app] ?? askQuestion)(page)
        await expect(page.getByRole('main')).toContainText('The glaze melts')
        await page.getByRole('button', { name: 'Stop run' }).click()
        await expect(page.getByRole('main')).toContainText(sentence)
        await expect(page.getByRole('main')).toContainText('The glaze melts')
      })
    await page.goto(`${loupe.url}/runs?workspace=${faultyWorkspace.id}&status=stopped`)
    await expect(page.getByRole('row').filter({ hasText: 'stopped' })).toHaveCount(runs.length)
  })

test('what an annotation or moderation says is the answer, and an agent’s words before a tool call are not', async ({
  signedInPage: page,
  openApp,
}) => {
  const answers = [
    ['chat', 'chat, refused by input moderation', 'Not here.'],
    ['chat', 'chat, replaced by output moderation', 'This answer was withdrawn.'],
    ['chatflow', 'chatflow, replaced by output moderation', 'This answer was withdrawn.'],
    ['chat', 'chat, replaced by output moderation, words after it', 'This answer was withdrawn.'],
    ['chat', 'chat, answered by an annotation', 'At dawn.'],
    ['chatflow', 'chatflow, answered by an annotation', 'The kiln is opened in the morning.'],
    ['chatflow', 'chatflow, refused by input moderation', 'We do not talk about that glaze.'],
    ['newagent', 'new agent, text before a tool call', 'There are four bowls.'],
  ] as const
  for (const [app, stream, text] of answers)
    await test.step(stream, async () => {
      await openApp(app, `${stream}, streaming`)
      await askQuestion(page)
      await expect(lastAnswer(page).getByText(text)).toHaveCount(1)
      await expect(lastAnswer(page)).not.toContainText('shine')
      await expect(page.getByRole('alert')).toHaveCount(0)
    })
})
