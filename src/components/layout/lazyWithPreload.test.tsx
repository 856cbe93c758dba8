import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Suspense, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { lazyWithPreload } from './lazyWithPreload.tsx'

function Field({ label }: { label: string }) {
  const [text, setText] = useState('')
  return <input aria-label={label} value={text} onChange={(event) => setText(event.currentTarget.value)} />
}

test('a part that was preloaded is there at once, and comes once', async () => {
  const come = vi.fn(() => Promise.resolve(Field))
  const Early = lazyWithPreload(come)
  await Early.preload()
  render(<Early label="Name" />)
  expect(screen.getByLabelText('Name')).toBeDefined()
  expect(come).toHaveBeenCalledTimes(1)
})

test('what was typed into a part stays when it is drawn again', async () => {
  const Late = lazyWithPreload(() => Promise.resolve(Field))
  const { rerender } = render(
    <Suspense>
      <Late label="Name" />
    </Suspense>,
  )
  await userEvent.type(await screen.findByLabelText('Name'), 'Mira')
  rerender(
    <Suspense>
      <Late label="Full name" />
    </Suspense>,
  )
  expect(screen.getByLabelText<HTMLInputElement>('Full name').value).toBe('Mira')
})
