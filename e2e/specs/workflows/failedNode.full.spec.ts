import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'
import { findTimelineRow, openWorkflowApp } from '#support/workflowFixtures.ts'

test('inputs are kept under a name, and their link fills in the form of somebody else', async ({
  signedInPage,
  loupe,
  browser,
}) => {
  await openWorkflowApp(signedInPage, loupe.url, 'Answer or say so')
  await signedInPage.getByRole('textbox', { name: 'Question' }).fill('What is a workspace?')
  await signedInPage.getByRole('button', { name: 'Save inputs' }).click()
  await signedInPage.getByRole('textbox', { name: 'Name of the saved inputs' }).fill('The workspace')
  await signedInPage.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(signedInPage.getByRole('combobox', { name: 'Saved inputs' })).toHaveValue(/./)
  await signedInPage.getByText('blocking', { exact: true }).click()
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(signedInPage.getByRole('region', { name: 'Outputs' }).first()).toContainText('answer')

  const other = await browser.newContext({ storageState: await signedInPage.context().storageState() })
  const page = await other.newPage()
  await page.goto(signedInPage.url())
  await expect(page.getByRole('textbox', { name: 'Question' })).toHaveValue('What is a workspace?')
  await other.close()
})

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious in a run with a chosen node: ${scheme}`, async ({ signedInPage, loupe }) => {
    await signedInPage.emulateMedia({ colorScheme: scheme })
    await openWorkflowApp(signedInPage, loupe.url, 'Inspect the inputs')
    await signedInPage.getByRole('checkbox', { name: 'Fail on purpose' }).check()
    await signedInPage.keyboard.press('Control+Enter')
    await findTimelineRow(signedInPage, 'Read what is no file').getByRole('button').click()
    await expect(signedInPage.getByRole('region', { name: 'Platform message' })).toBeVisible()
    await expectAccessible(signedInPage)
  })
