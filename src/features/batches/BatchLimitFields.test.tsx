import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { BatchLimits } from '#contract/console/batches.ts'
import { renderPage } from '../../client/page.testing.tsx'
import { BatchLimitFields } from './BatchLimitFields.tsx'

const NO_LIMITS: BatchLimits = { at_once: 4, per_minute: null, max_rows: null, max_tokens: null, max_price: null }

test('a price below one is typed key by key, and an empty field is no limit', async () => {
  let last = NO_LIMITS
  function StatefulFields() {
    const [limits, setLimits] = useState(NO_LIMITS)
    last = limits
    return <BatchLimitFields limits={limits} onLimits={setLimits} />
  }
  renderPage(<StatefulFields />)
  const field = screen.getByRole('textbox', { name: /price/i })
  await userEvent.type(field, '0.05')
  expect(field).toHaveProperty('value', '0.05')
  expect(last.max_price).toBe(0.05)
  await userEvent.clear(field)
  expect(last.max_price).toBeNull()
})
