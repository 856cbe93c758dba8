import { findSeriousViolations, listCutFields, measureOverflow } from '#support/accessibility.ts'
import { answerWithDrift } from '#support/platforms/driftingPlatform.ts'
import { answerSlowly, createAnswerIds } from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious, and nothing scrolls sideways: ${scheme}`, async ({
    signedInPage,
    faultyWorkspace,
    loupe,
  }) => {
    // A limit for what hangs: some sixty pages with axe take six minutes on a busy machine.
    test.setTimeout(900_000)
    faultyWorkspace.platform.script = (_seen, response) =>
      answerSlowly(
        response,
        createAnswerIds(),
        ['A **bold** answer.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```js\nlet x = 1\n```\n'],
        5,
      )
    await signedInPage.emulateMedia({ colorScheme: scheme })
    await signedInPage.goto(faultyWorkspace.chat)
    await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('Show me.')
    await signedInPage.keyboard.press('Control+Enter')
    await expect(signedInPage.getByRole('log')).toContainText('bold')
    await expect(signedInPage.locator('pre [data-scope="keyword"]')).toHaveText('let')
    // One answer that differs from the contract, so that there is drift to be shown.
    faultyWorkspace.platform.script = answerWithDrift
    await signedInPage.request.get(`${loupe.url}/api/keys/${faultyWorkspace.chatKey}/parameters`)
    await expect(signedInPage.getByText('first token').first()).toBeVisible()
    const chat = signedInPage.url()
    const resources = (await (await signedInPage.request.get(`${loupe.url}/api/resources?kind=dataset`)).json()) as {
      data: { id: string; workspace: string }[]
    }
    const dataset = resources.data[0]
    const run = new URL(chat).searchParams.get('run')
    const cells = ['a', 'b'].map((id) => ({
      id,
      key: id === 'a' ? faultyWorkspace.chatKey : null,
      own: null,
      runs: [run],
    }))
    const kept = await signedInPage.request.post(`${loupe.url}/api/saved-items`, {
      headers: { 'x-console': '1' },
      data: { kind: 'board', workspace: faultyWorkspace.id, name: `Board, ${scheme}`, value: { cells, repeat: 2 } },
    })
    const board = ((await kept.json()) as { id: string }).id
    const search = `workspace=${dataset?.workspace}`
    const workspaces = (await (await signedInPage.request.get(`${loupe.url}/api/workspaces`)).json()) as {
      data: { id: string; keys: { id: string; kind: string }[] }[]
    }
    const keys = workspaces.data.find(({ id }) => id === dataset?.workspace)?.keys ?? []
    const documents = `/datasets/${dataset?.id}/documents`
    const firstOf = async (path: string) => {
      const key = keys.find(({ kind }) => kind === 'knowledge')?.id
      const reply = await signedInPage.request.get(`${loupe.url}/api/keys/${key}${path}`)
      return ((await reply.json()) as { data: { id: string }[] }).data[0]?.id
    }
    const manual = await firstOf(documents)
    const segment = await firstOf(`${documents}/${manual}/segments`)
    const preparations: Record<string, () => Promise<void>> = {
      '/lab': async () => {
        await signedInPage
          .getByRole('textbox', { name: 'Text to split' })
          .fill('One part.\n\n| a | b |\n\nAnother part.')
        await expect(signedInPage.getByRole('article').first()).toBeVisible()
        await signedInPage.getByRole('button', { name: 'Compare with another setting' }).click()
        await expect(signedInPage.getByRole('region', { name: 'Setting B' }).getByRole('article').first()).toBeVisible()
      },
      [`/datasets/${dataset?.id}/retrieval?${search}`]: async () => {
        await signedInPage.getByRole('textbox', { name: 'Question' }).fill('What is Loupe?')
        await signedInPage.getByRole('button', { name: 'Find' }).click()
        await expect(signedInPage.getByRole('button', { name: 'Expect this segment' }).first()).toBeVisible()
      },
      [`${documents}/${manual}?${search}&segment=${segment}&child=segment`]: () =>
        expect(signedInPage.getByRole('textbox', { name: 'content' })).toBeVisible(),
    }
    const places = [
      chat,
      loupe.url,
      `${loupe.url}/completion`,
      `${loupe.url}/runs`,
      `${loupe.url}/runs?workspace=${faultyWorkspace.id}`,
      `${loupe.url}/runs/${new URL(chat).searchParams.get('run')}`,
      `${loupe.url}/runs/${new URL(chat).searchParams.get('run')}?replay=1`,
      `${loupe.url}/runs/${new URL(chat).searchParams.get('run')}?with=choose`,
      `${loupe.url}/datasets`,
      `${loupe.url}/datasets/${dataset?.id}?${search}`,
      `${loupe.url}/datasets/${dataset?.id}/settings?${search}`,
      ...Object.keys(preparations).map((path) => loupe.url + path),
      `${loupe.url}/ledger?workspace=${faultyWorkspace.id}`,
      `${loupe.url}/ledger?workspace=${faultyWorkspace.id}&call=${run}`,
      `${loupe.url}/drift?workspace=${faultyWorkspace.id}`,
      `${loupe.url}/drift?workspace=${faultyWorkspace.id}&view=never`,
      `${loupe.url}/annotations?${search}`,
      `${loupe.url}/annotations?${search}&view=reply`,
      `${loupe.url}/annotations?${search}&view=review`,
      `${loupe.url}/annotations?${search}&view=import`,
      `${loupe.url}/batches`,
      `${loupe.url}/batches/new`,
      `${loupe.url}/runs/open`,
      `${loupe.url}/compare?workspace=${faultyWorkspace.id}&run=${run}`,
      `${loupe.url}/compare/${board}`,
      `${loupe.url}/compare/${board}?show=differences`,
      `${loupe.url}/waiting`,
      `${loupe.url}/servers`,
      `${loupe.url}/nowhere`,
    ]
    // What the scheme changes is colours alone.
    const rules = scheme === 'light' ? undefined : ['color-contrast']
    for (const width of scheme === 'light' ? [1280, 390] : [1280]) {
      await signedInPage.setViewportSize({ width, height: 844 })
      for (const place of places) {
        await signedInPage.goto(place)
        await expect(signedInPage.getByRole('main')).toBeVisible()
        await expect(signedInPage.getByRole('heading', { level: 1 }).first()).toBeVisible()
        await preparations[place.replace(loupe.url, '')]?.()
        expect(await findSeriousViolations(signedInPage, rules), `${place} at ${width}`).toEqual([])
        const wide = await measureOverflow(signedInPage)
        expect(wide, `${place} at ${width}`).toBeLessThanOrEqual(0)
        expect(await listCutFields(signedInPage), `${place} at ${width}`).toEqual([])
      }
    }
  })
