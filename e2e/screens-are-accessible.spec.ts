import { AxeBuilder } from '@axe-core/playwright'
import { answerSlowly, newIds } from './faults/platform.ts'
import { expect, test } from './fixtures.ts'

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious, and nothing scrolls sideways: ${scheme}`, async ({ desk, faults, loupe }) => {
    test.setTimeout(120_000)
    faults.platform.script = (_seen, response) =>
      answerSlowly(
        response,
        newIds(),
        ['A **bold** answer.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```js\nlet x = 1\n```\n'],
        5,
      )
    await desk.emulateMedia({ colorScheme: scheme })
    await desk.goto(faults.chat)
    await desk.getByRole('textbox', { name: 'Your question' }).fill('Show me.')
    await desk.keyboard.press('Control+Enter')
    await expect(desk.getByRole('log')).toContainText('bold')
    await expect(desk.getByText('first token').first()).toBeVisible()
    const chat = desk.url()
    const things = (await (await desk.request.get(`${loupe.url}/api/things?kind=dataset`)).json()) as {
      data: { id: string; workspace: string }[]
    }
    const dataset = things.data[0]
    const run = new URL(chat).searchParams.get('run')
    const cells = ['a', 'b'].map((id) => ({ id, key: id === 'a' ? faults.chatKey : null, own: null, runs: [run] }))
    const kept = await desk.request.post(`${loupe.url}/api/kept`, {
      headers: { 'x-console': '1' },
      data: { kind: 'board', workspace: faults.id, name: `Board, ${scheme}`, value: { cells, repeat: 2 } },
    })
    const board = ((await kept.json()) as { id: string }).id
    const places = [
      chat,
      `${loupe.url}/completion`,
      `${loupe.url}/runs`,
      `${loupe.url}/runs?workspace=${faults.id}`,
      `${loupe.url}/runs/${new URL(chat).searchParams.get('run')}`,
      `${loupe.url}/runs/${new URL(chat).searchParams.get('run')}?replay=1`,
      `${loupe.url}/runs/${new URL(chat).searchParams.get('run')}?with=choose`,
      `${loupe.url}/datasets`,
      `${loupe.url}/datasets/${dataset?.id}?workspace=${dataset?.workspace}`,
      `${loupe.url}/datasets/${dataset?.id}/retrieval?workspace=${dataset?.workspace}`,
      `${loupe.url}/batches`,
      `${loupe.url}/batches/new`,
      `${loupe.url}/lab`,
      `${loupe.url}/runs/open`,
      `${loupe.url}/compare?workspace=${faults.id}&run=${run}`,
      `${loupe.url}/compare/${board}`,
      `${loupe.url}/compare/${board}?show=differences`,
      `${loupe.url}/nowhere`,
    ]
    for (const width of [1280, 390]) {
      await desk.setViewportSize({ width, height: 844 })
      for (const place of places) {
        await desk.goto(place)
        await expect(desk.getByRole('main')).toBeVisible()
        await expect(desk.getByRole('heading', { level: 1 }).first()).toBeVisible()
        const { violations } = await new AxeBuilder({ page: desk }).analyze()
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        expect(
          serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          `${place} at ${width}`,
        ).toEqual([])
        const wide = await desk.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(wide, `${place} at ${width}`).toBeLessThanOrEqual(0)
      }
    }
  })
