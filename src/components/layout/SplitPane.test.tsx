import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { SplitPane } from './SplitPane.tsx'

const STORAGE_KEY = 'loupe-pane-test'
beforeEach(() => localStorage.clear())

const renderPane = () =>
  render(
    <SplitPane label="Inspector" resizeLabel="Resize the inspector" storageKey="test" initialWidthPx={428}>
      content
    </SplitPane>,
  )
const handle = () => screen.getByRole('separator', { name: 'Resize the inspector' })
const width = () => [
  screen.getByRole('complementary', { name: 'Inspector' }).style.width,
  handle().getAttribute('aria-valuenow'),
]

test('arrow keys resize the pane within its bounds, and the width is stored', async () => {
  renderPane()
  expect(width()).toEqual(['428px', '428'])
  await userEvent.tab()
  expect(document.activeElement).toBe(handle())
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(width()).toEqual(['460px', '460'])
  expect(localStorage.getItem(STORAGE_KEY)).toBe('460')
  await userEvent.keyboard('{ArrowRight>20/}')
  expect(width()).toEqual(['360px', '360'])
  await userEvent.keyboard('{ArrowLeft>40/}')
  expect(width()).toEqual(['720px', '720'])
})
