import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { newQueryClient } from '../../client/query.ts'
import { DeleteCase } from './CaseDialogs.tsx'
import { DeleteSuite } from './SuiteDialogs.tsx'

const close = () => undefined
const suite = { id: 's', workspace: 'w', name: 'Lamps', cases: 3 } as Parameters<typeof DeleteSuite>[0]['suite']
const of = { id: 'c', name: 'What glows?' } as Parameters<typeof DeleteCase>[0]['of']

test.each<[string, ReactNode, { lost: string[]; kept: string[] }]>([
  [
    'a suite',
    <DeleteSuite suite={suite} onClose={close} />,
    { lost: ['3 cases', 'All experiments of the suite'], kept: ['The calls of its experiments stay in the ledger.'] },
  ],
  [
    'a case',
    <DeleteCase suite={suite} of={of} onClose={close} />,
    { lost: ['New experiments run without this case.'], kept: ['Earlier experiments keep it and its results.'] },
  ],
])('before %s is deleted, it says what is lost and what is kept', async (_, dialog, { lost, kept }) => {
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>{dialog}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const list = async (name: string) =>
    [...(await screen.findByRole('list', { name })).children].map((item) => item.textContent)
  expect([await list('What is lost'), await list('What is kept')]).toEqual([lost, kept])
})
