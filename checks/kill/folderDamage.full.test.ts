import { expect, it } from 'vitest'
import { damageFolders, isFault } from './folderDamage.ts'

it('a folder with a file lost, cut or altered is started with every row, or refused in words', async () => {
  const all = await damageFolders({ images: 12, timeoutFactor: 6 })
  expect(all.filter(isFault)).toEqual([])
  expect(all.length).toBe(12)
  // A stopped server has said how it left the folder: what is altered in it is seen before it is opened.
  const altered = all.filter(({ file, isKilled }) => !isKilled && /^database\/(base\/5|global)/.test(file))
  expect(altered.filter(({ outcome }) => outcome !== 'refused')).toEqual([])
})
