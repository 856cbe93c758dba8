import { expect, test } from 'vitest'
import { fillPlaceholders } from './WelcomePanel.tsx'

test('the opening statement has the inputs as typed, and shows what is still empty', () => {
  const statement = 'Hello {{name}}, {{ name }}: {{topic}} by {{user.id}} and {{nobody}}. {{}} {name}'
  expect(fillPlaceholders(statement, { name: '$& Ada', topic: '', 'user.id': 'u1' })).toBe(
    'Hello $& Ada, $& Ada: … by u1 and …. {{}} {name}',
  )
})
