// Markdown of a realistic mix (headings, prose, lists, fenced code, tables, quotes); one "token" = 4 characters. Used by the upstream and the page.
export function corpus(chars) {
  const para =
    'Large **language models** answer in prose with [links](https://example.invalid/a), `inline code`, *emphasis* and numbers such as 12,345. They explain a step, then the reason for it, and then what may go wrong when the step is left out. '
  let s = '',
    i = 0
  while (s.length < chars) {
    i++
    s += `## Section ${i}: what to check\n\n${para}${para}\n\n${para}\n\n`
    s += `- first point of list ${i} with **bold**\n- second point with \`code\`\n  - nested point\n- third point, a longer one that wraps over the line end in a narrow chat column\n\n`
    s +=
      '```ts\n' +
      Array.from(
        { length: 12 },
        (_, k) =>
          `export async function step${i}_${k}(input: string, opts = { retries: ${k} }) { return await run(input, opts) }`,
      ).join('\n') +
      '\n```\n\n'
    s +=
      `| name | value | note |\n| --- | ---: | --- |\n` +
      Array.from({ length: 6 }, (_, k) => `| row ${k} | ${k * 17 + i} | some **note** text |`).join('\n') +
      '\n\n'
    s += `> quoted remark ${i}: keep it short.\n\n1. one\n2. two\n3. three\n\n`
  }
  return s.slice(0, chars)
}
