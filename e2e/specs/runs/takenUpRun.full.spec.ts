import { readAppKeys } from '#support/appKeys.ts'
import { expect, signIn, test } from '#support/fixtures.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { startModelServer } from '#support/platforms/modelServer.ts'
import { createJsonSender } from '#support/postJson.ts'
import { clickRun, findTimelineRow } from '#support/workflowFixtures.ts'

test('a workflow goes on after kill -9 of the console, in the same timeline, and what was missed is said', async ({
  page,
}) => {
  const words = Array.from({ length: 100 }, (_, index) => `word${index} `)
  const model = await startModelServer(words, 200, { heldAfter: 60 })
  const platform = await LoupeProcess.fromTemplate({ MODEL_BASE_URL: model.url, MODEL_NAME: 'slow' }).start()
  const loupe = await LoupeProcess.fromTemplate({ PLATFORM: 'off' }).start()
  try {
    await signIn(page, loupe)
    const postJson = createJsonSender(page.request, loupe.url)
    const workspace = await postJson('/api/workspaces', { name: 'Elsewhere', base_url: platform.platform })
    const key = await postJson(`/api/workspaces/${workspace.id}/keys`, {
      kind: 'workflow',
      label: 'Answers',
      key: readAppKeys(platform).workflow,
    })
    await page.goto(`${loupe.url}/workflows?workspace=${workspace.id}&app=${key.id}`)
    await page.getByRole('textbox', { name: /Question/ }).fill('What happens to a run when I close the tab?')
    await clickRun(page)
    await expect(page.getByText('word5').first()).toBeVisible()
    await loupe.kill()
    await loupe.start()
    // However long the start took, the run is not over.
    await expect(page.getByRole('article', { name: 'Answer' }).getByRole('status').first()).toHaveText(/^live/)
    model.release()

    await expect(findTimelineRow(page, 'Answered')).toContainText('succeeded')
    await expect(findTimelineRow(page, 'Answer')).toHaveCount(1)
    await expect(page.getByRole('listitem').filter({ hasText: 'were missed' })).toContainText('then restored')
    // What was not seen is taken from the result.
    await expect(page.getByText(/^word0 .*word20 word21 .*word99$/).first()).toBeVisible()
  } finally {
    await page.close()
    await loupe.remove()
    await platform.remove()
    model.close()
  }
})
