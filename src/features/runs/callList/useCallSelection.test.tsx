import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CallListRow } from './callListRow.ts'
import { useCallSelection } from './SelectionBar.tsx'

const toRow = (id: string, workspace: string) => ({ id, workspace }) as CallListRow

test('the selection is of one workspace, and a range begins at the row that was chosen last', () => {
  const page = ['a', 'b', 'c', 'd'].map((id) => toRow(id, 'one'))
  const { result, rerender } = renderHook(({ workspace }) => useCallSelection(workspace), {
    initialProps: { workspace: 'one' },
  })
  // Both clicks before a row is drawn again.
  const { toggle } = result.current
  act(() => {
    toggle(toRow('b', 'one'))
    toggle(toRow('d', 'one'), page)
  })
  expect(result.current.rows.map(({ id }) => id)).toEqual(['b', 'c', 'd'])
  rerender({ workspace: 'two' })
  expect(result.current.rows).toEqual([])
  rerender({ workspace: 'one' })
  expect(result.current.rows).toHaveLength(3)
})
