import { MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { EmbeddingStatus } from './EmbeddingStatus.tsx'

test.each([
  [3, 'partly available3 of 5'],
  [5, 'ready'],
  [undefined, 'not given'],
])('with %s of 5 documents available, the health is “%s”', (total_available_documents, text) => {
  const record = { id: 'd', total_documents: 5, total_available_documents }
  const dataset = { id: 'd', workspace: 'w', name: 'Lamps', record, resource: null }
  const { container } = render(
    <MantineProvider>
      <EmbeddingStatus dataset={dataset} knowledge={undefined} isBuiltIn />
    </MantineProvider>,
    { container: document.body.appendChild(document.createElement('main')) },
  )
  expect(container.textContent).toContain(text)
})
