import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '../../client/page.testing.tsx'
import { notify } from './notify.ts'

test('what has succeeded is said as a status', async () => {
  renderPage(<main />)
  act(() => notify('The password was changed.'))
  expect((await screen.findByRole('status')).textContent).toBe('The password was changed.')
})
