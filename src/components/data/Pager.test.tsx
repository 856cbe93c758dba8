import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Pager, type PagerProps } from './Pager.tsx'
import { renderPage } from '../../client/page.testing.tsx'

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test('it counts by total and ends where the rows do', () => {
  draw({ page: 3, limit: 20, total: 41 })
  expect(screen.getByText('41 to 41 of 41')).toBeDefined()
  expect(button('Next page').disabled).toBe(true)
  expect(button('Previous page').disabled).toBe(false)
})

test('a page beyond the end says so and leads back to the last one', async () => {
  const pages = draw({ page: 99, limit: 20, total: 41 })
  expect(screen.getByText('Page 99 does not exist. The last page is 3.')).toBeDefined()
  expect(button('Next page').disabled).toBe(true)
  await userEvent.click(button('Previous page'))
  expect(pages).toEqual([3])
})

function draw(props: Omit<PagerProps, 'onPage'>): number[] {
  const pages: number[] = []
  renderPage(<Pager {...props} onPage={(page) => pages.push(page)} />)
  return pages
}
