import { RunScript } from '#support/platforms/workflowPlatform.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { findSeriousViolations, measureOverflow } from '#support/accessibility.ts'
import { clickRun, expect, test } from '#support/workflowFixtures.ts'

test('an output file is kept with its run, and is there after its link has expired', async ({
  signedInPage: page,
  workflowFixture,
  faultyWorkspace: { platform },
}) => {
  const bytes = Buffer.from('%PDF of the lamps')
  const file = { url: '/files/tools/lamps.pdf?sign=1', filename: 'lamps.pdf', mime_type: 'application/pdf', size: 17 }
  workflowFixture.app.nextRun = () => ({
    frames: new RunScript()
      .addStart()
      .addNode('end', 'End')
      .addEnd('succeeded', { outputs: { report: file, text: 'Done.' } }).frames,
  })
  let isExpired = false
  platform.script = (seen, response) => {
    if (!seen.path.startsWith('/files/')) return workflowFixture.app.script(seen, response)
    if (isExpired) return sendError(response, 403, { message: 'Invalid signature.' })
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(bytes)
  }
  await page.goto(workflowFixture.url)
  await page.getByRole('textbox', { name: 'Topic' }).fill('tea')
  await clickRun(page)
  const files = page.getByRole('list', { name: 'Files of the workflow' })
  await files.getByRole('button', { name: 'Save lamps.pdf with the run' }).click()
  await expect(files.getByText('saved', { exact: true })).toBeVisible()

  isExpired = true
  await page.getByRole('link', { name: 'Open run' }).first().click()
  await expect(page).toHaveURL(/\/runs\//)
  await expect(files.getByTitle(/^Saved with the run by /)).toBeVisible()
  const saving = page.waitForEvent('download')
  await files.getByRole('link', { name: 'lamps.pdf' }).click()
  const chunks: Buffer[] = []
  for await (const chunk of await (await saving).createReadStream()) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks)).toEqual(bytes)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findSeriousViolations(page), colorScheme).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)

  await files.getByRole('button', { name: 'Remove the saved lamps.pdf' }).click()
  await files.getByRole('button', { name: 'Save lamps.pdf with the run' }).click()
  await expect(page.getByRole('alert')).toContainText('Invalid signature.')
  await expect(files.getByText('saved', { exact: true })).toHaveCount(0)
})
