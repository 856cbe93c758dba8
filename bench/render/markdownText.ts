const PARAGRAPH =
  'Large **language models** answer in prose with [links](https://example.invalid/a), `inline code`, *emphasis* and numbers such as 12,345. They explain a step, then the reason for it, and then what may go wrong when the step is left out. '

/** Markdown of a realistic mix (headings, prose, lists, code, tables, quotes), of so many characters. */
export function createMarkdown(characters: number): string {
  let text = ''
  for (let number = 1; text.length < characters; number++) text += createSection(number)
  return text.slice(0, characters)
}

function createSection(number: number): string {
  const listLines = (count: number, toLine: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => toLine(index)).join('\n')
  const code = listLines(
    12,
    (line) =>
      `export async function step${number}_${line}(input: string, opts = { retries: ${line} }) { return await run(input, opts) }`,
  )
  const rows = listLines(6, (row) => `| row ${row} | ${row * 17 + number} | some **note** text |`)
  return [
    `## Section ${number}: what to check`,
    PARAGRAPH + PARAGRAPH,
    PARAGRAPH,
    `- first point of list ${number} with **bold**\n- second point with \`code\`\n  - nested point\n- third point, a longer one that wraps over the line end in a narrow chat column`,
    `\`\`\`ts\n${code}\n\`\`\``,
    `| name | value | note |\n| --- | ---: | --- |\n${rows}`,
    `> quoted remark ${number}: keep it short.`,
    '1. one\n2. two\n3. three\n\n',
  ].join('\n\n')
}
