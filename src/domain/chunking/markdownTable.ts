/** A table in Markdown; its first row is the head. */
export function toMarkdownTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map(({ length }) => length))
  const toRow = (cells: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, index) => escapeCell(cells[index] ?? '')).join(' | ')} |`
  const [head = [], ...body] = rows
  return [toRow(head), `| ${Array(columns).fill('---').join(' | ')} |`, ...body.map(toRow)].join('\n')
}

const escapeCell = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(/\|/g, '\\|')
