import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Tooltip } from './Tooltip.tsx'

test('the keyboard shows it at once, Escape puts it away, and the element says it', async () => {
  render(
    <Tooltip label="21 Nov 2026, 12:00:00 UTC">
      <button type="button">14 min</button>
    </Tooltip>,
  )
  await userEvent.tab()
  const tooltip = await screen.findByRole('tooltip')
  expect(screen.getByRole('button').getAttribute('aria-describedby')).toBe(tooltip.id)
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('tooltip')).toBeNull()
})

test('a pointer shows it while it stays, and what the element did of itself it still does', async () => {
  const seen: string[] = []
  render(
    <Tooltip label="Copy">
      <button type="button" aria-label="Copy" onMouseEnter={() => seen.push('enter')} />
    </Tooltip>,
  )
  await userEvent.hover(screen.getByRole('button'))
  expect((await screen.findByRole('tooltip')).textContent).toBe('Copy')
  expect(screen.getByRole('button').hasAttribute('aria-describedby')).toBe(false)
  await userEvent.unhover(screen.getByRole('button'))
  expect(screen.queryByRole('tooltip')).toBeNull()
  expect(seen).toEqual(['enter'])
})
