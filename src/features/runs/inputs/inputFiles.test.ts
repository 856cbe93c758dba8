import { expect, test } from 'vitest'
import { AppParameters } from '#contract/platform/appParameters.ts'
import { toUploadRule, guessFileType } from './inputFiles.ts'

const upload = (file_upload: unknown) => toUploadRule(AppParameters.parse({ file_upload }))

test('both generations of file_upload say what is let in beside the question', () => {
  expect(upload({ image: { enabled: true, number_limits: 2, transfer_methods: ['remote_url'] } })).toMatchObject({
    types: ['image'],
    methods: ['remote_url'],
    maxFiles: 2,
  })
  expect(
    upload({ enabled: true, number_limits: 5, allowed_file_types: ['document'], allowed_file_extensions: ['.PDF'] }),
  ).toMatchObject({ types: ['document'], extensions: ['pdf'], methods: [], maxFiles: 5 })
  expect(upload({ enabled: false, image: { enabled: false } })).toBeNull()
  expect(upload(undefined)).toBeNull()
})

test('a file has the type of its name, where the app lets that in', () => {
  const rule = (types: string[]) => ({ types, extensions: [], methods: [], maxFiles: null, maxMegabytesByType: {} })
  expect(guessFileType(rule([]), { name: 'a.PNG' })).toBe('image')
  expect(guessFileType(rule(['document', 'image']), { url: 'https://a.example/b/manual.pdf?x=1.png' })).toBe('document')
  expect(guessFileType(rule(['custom']), { name: 'a.png' })).toBe('custom')
  expect(guessFileType(rule(['image']), { name: 'a.pdf' })).toBe('document')
  expect(guessFileType(rule(['image']), { url: 'https://a.example/photo' })).toBe('image')
})
