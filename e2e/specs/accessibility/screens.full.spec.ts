import { findSeriousViolations, listCutFields, measureOverflow } from '#support/accessibility.ts'
import { expect, test } from '#support/fixtures.ts'
import { prepareScreens } from '#support/screenTour.ts'

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious, and nothing scrolls sideways: ${scheme}`, async ({
    signedInPage,
    faultyWorkspace,
    loupe,
  }) => {
    // A limit for what hangs: some sixty pages with axe take six minutes on a busy machine.
    test.setTimeout(900_000)
    await signedInPage.emulateMedia({ colorScheme: scheme })
    const { places, prepare } = await prepareScreens(signedInPage, faultyWorkspace, loupe.url)
    // What the scheme changes is colours alone.
    const rules = scheme === 'light' ? undefined : ['color-contrast']
    for (const width of scheme === 'light' ? [1280, 390] : [1280]) {
      await signedInPage.setViewportSize({ width, height: 844 })
      for (const place of places) {
        await signedInPage.goto(place)
        await expect(signedInPage.getByRole('main')).toBeVisible()
        await expect(signedInPage.getByRole('heading', { level: 1 }).first()).toBeVisible()
        await prepare(place)
        expect(await findSeriousViolations(signedInPage, rules), `${place} at ${width}`).toEqual([])
        const wide = await measureOverflow(signedInPage)
        expect(wide, `${place} at ${width}`).toBeLessThanOrEqual(0)
        expect(await listCutFields(signedInPage), `${place} at ${width}`).toEqual([])
      }
    }
  })
