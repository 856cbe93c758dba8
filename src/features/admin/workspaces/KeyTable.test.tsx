import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newQueryClient } from '../../../client/query.ts'
import { makeKey, makeSession } from '../../../client/session.testing.ts'
import { KeyTable } from './KeyTable.tsx'

const server = setupServer(http.get('*/api/session', () => HttpResponse.json(makeSession('viewer'))))
beforeAll(() => server.listen())
afterAll(() => server.close())

test('a key shows its end, says that it is too short for that, or that it must be entered again', () => {
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>
          <KeyTable
            isAdmin={false}
            workspace={{
              id: '33333333-3333-4333-8333-333333333333',
              name: 'Support',
              base_url: 'https://platform.example/v1',
              builtin: false,
              created_at: '2026-11-21T12:00:00.000Z',
              dialect: { chosen: {}, found: {}, version: null },
              keys: [
                { ...makeKey('chat', 'Long'), hint: 'a1b2' },
                makeKey('completion', 'Short'),
                { ...makeKey('workflow', 'Locked'), hint: 'c3d4', usable: false },
              ],
              access: 'all',
            }}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const row = (label: string) => screen.getByRole('row', { name: new RegExp(`^${label} `) }).textContent
  expect(row('Long')).toContain('…a1b2')
  expect(row('Short')).toContain('stored, too short to show its end')
  expect(row('Locked')).toContain('must be entered again')
  expect(row('Locked')).not.toContain('c3d4')
})
