import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { extractText } from './extractText.ts'
import { createDocx, createPdf, createPdfOf, WORD_NAMESPACE } from './files.fixture.ts'

const read = (name: string, bytes: Uint8Array | string) =>
  extractText({ name, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes })

it.each([
  [
    '<title>T</title><h1>Head&nbsp;line</h1><p>One <b>bold</b> &amp; &lt;plain&gt;<br>line<script>evil()</script><ul><li>first<li>second</ul>',
    'T\n\n# Head line\n\nOne bold & <plain>\nline\n- first\n- second',
  ],
  [
    '<ol start=3><li>three<ul><li>in<ol type=a><li>deep</ol></ul><li value=7>seven</ol><ol reversed><li>x<li>y</ol>',
    '3. three\n   - in\n     a. deep\n7. seven\n\n2. x\n1. y',
  ],
  ['<pre><code class="language-yaml">a:\n  b:   1\n\n  - c\n</code></pre>', '```yaml\na:\n  b:   1\n\n  - c\n```'],
  [
    '<p>10<sup>6</sup> m<sup>2</sup>, H<sub>2</sub>O, x<sub>max</sub>, e<sup>-x</sup>, 1<sup>st</sup>, ™<sup>®</sup>',
    '10⁶ m², H₂O, x_max, e^(-x), 1st, ™®',
  ],
  [
    '<math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac></math>',
    'x²=a/(b+1)',
  ],
  [
    '<dialog open>Dia</dialog><fieldset><legend>Leg</legend><label>Lab</label><input value=v></fieldset><select><option>Alpha<option selected>Beta</select><details><summary>Sum</summary>Body</details>',
    'Dia\n\nLeg\n\nLab v\n\nBeta\n\nSum\n\nBody',
  ],
  [
    '<dl><dt>RPM<dd>Turns</dl><p>漢<ruby>字<rt>じ</rt></ruby> super<wbr>long a*b_c [x] #1',
    'RPM\nTurns\n\n漢字(じ) super\u200Blong a*b_c [x] #1',
  ],
  ['<input type=checkbox checked> done <input type=checkbox> open', '[x] done [ ] open'],
  [
    '<table><caption>Parts</caption><thead><tr><th>Part</th><th>Weight</th></tr></thead><tr><td rowspan=2>Seat<br>cold</td><td>12&nbsp;g</td></tr><tr><td>a|b</td></tr><tr><td colspan=2>none</td></tr></table>',
    'Parts\n\n| Part | Weight |\n| --- | --- |\n| Seat cold | 12 g |\n| Seat cold | a\\|b |\n| none |  |',
  ],
  [
    '<table><tr><td><h2>Menu</h2></td><td><table><tr><td>x</td><td>y</td></tr></table></td></tr></table>',
    '## Menu\n\n| x | y |\n| --- | --- |',
  ],
  ['<table><tr><td>One</td></tr><tr><td>Two</td></tr></table>', 'One\n\nTwo'],
])('reads HTML as it is seen: %s', async (html, text) => {
  expect(await read('a.html', html)).toMatchObject({ text, losses: [] })
})

it('tells what of a page was left out', async () => {
  const hidden = '<p hidden>a</p><p style="Display : none">b</p><i style="visibility:hidden">c</i><dialog>d</dialog>'
  const page = `${hidden}<del>30</del><s>40</s><span style="text-decoration: line-through">50</span> 60 <img src=x> <img src=y alt=""> <img src=z alt="Red to plus"> <svg></svg><iframe></iframe>`
  expect(await read('a.html', page)).toMatchObject({
    text: '60 Red to plus',
    losses: [
      { kind: 'hidden_text', count: 4 },
      { kind: 'struck_text', count: 3 },
      { kind: 'picture', count: 2 },
      { kind: 'embedded_object', count: 1 },
    ],
  })
})

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (...content: string[]) => `<w:p>${content.join('')}</w:p>`
const numbered = (text: string, numId: number, level = 0, style = '') =>
  paragraph(
    `<w:pPr>${style}<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr></w:pPr>`,
    run(text),
  )
const level = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const NUMBERING = [
  level(0, 'decimal', '%1.') + level(1, 'lowerLetter', '%2)') + level(2, 'decimal', '%1.%3'),
  level(0, 'upperRoman', 'Article %1') + level(1, 'decimal', '%1.%2', '<w:isLgl/>'),
  level(0, 'chineseCountingThousand', '第%1条'),
  level(0, 'bullet', '•'),
].map((levels, at) => `<w:abstractNum w:abstractNumId="${at}">${levels}</w:abstractNum>`)
const PARTS = [
  [
    'numbering',
    `<w:numbering xmlns:w="${WORD_NAMESPACE}">${NUMBERING.join('')}${[0, 1, 2, 3].map((id) => `<w:num w:numId="${id + 1}"><w:abstractNumId w:val="${id}"/></w:num>`).join('')}<w:num w:numId="5"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`,
  ],
  [
    'footnotes',
    `<w:footnotes xmlns:w="${WORD_NAMESPACE}"><w:footnote w:id="2">${paragraph('<w:r><w:footnoteRef/></w:r>', run(' See the law.'))}</w:footnote></w:footnotes>`,
  ],
  ['header', `<w:hdr xmlns:w="${WORD_NAMESPACE}">${paragraph(run('Manual KX-4471'))}</w:hdr>`],
].map(([name, xml]) => ({ name: `word/${name}.xml`, data: Buffer.from(xml ?? '') }))
const box = (text: string) => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`

it.each<[string, string[], string, object[]?]>([
  ['headings and characters', ['# Title', 'Some text &amp; 中文', 'More'], '# Title\n\nSome text & 中文\n\nMore'],
  [
    'fields',
    [
      paragraph(
        run('No. '),
        `<w:fldSimple w:instr=" X ">${run('KX')}</w:fldSimple>`,
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DATE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>',
        run(' of May'),
      ),
    ],
    'No. KX of May',
  ],
  [
    'ruby, line ends, tabs and hyphens',
    [
      paragraph(
        `<w:r><w:ruby><w:rt>${run('きょうと')}</w:rt><w:rubyBase>${run('京都')}</w:rubyBase></w:ruby></w:r>`,
        '<w:r><w:t>で</w:t><w:cr/><w:t>a</w:t><w:tab/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>',
      ),
    ],
    '京都(きょうと)で\na bc-d',
  ],
  [
    'formulas',
    [
      paragraph(
        '<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:r><m:t>=</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f><m:rad><m:deg/><m:e><m:r><m:t>y</m:t></m:r></m:e></m:rad><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i=1</m:t></m:r></m:sub><m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>i</m:t></m:r></m:e></m:nary></m:oMath>',
      ),
    ],
    'x²=(a+b)/2√(y)∑_(i=1)ⁿ i',
  ],
  [
    'raised text',
    [
      paragraph(
        run('10'),
        run('6', '<w:vertAlign w:val="superscript"/>'),
        run(' CO'),
        run('2', '<w:vertAlign w:val="subscript"/>'),
      ),
    ],
    '10⁶ CO₂',
  ],
  [
    'check boxes',
    [
      paragraph('<w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>☒</w:t></w:r></w:sdtContent></w:sdt>', run(' a')),
      paragraph('<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>', run(' b')),
      paragraph(
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar></w:r>',
        run(' c'),
      ),
    ],
    '☒ a\n\n🞎 b\n\n☒ c',
  ],
  [
    'numbered lists',
    [
      numbered('one', 1),
      numbered('in', 1, 1),
      numbered('deep', 1, 2),
      numbered('two', 1),
      'Step 2.',
      numbered('three', 1),
      numbered('again', 5),
      numbered('dot', 4),
    ],
    '1. one\n   a) in\n      1.1 deep\n2. two\n\nStep 2.\n\n3. three\n1. again\n- dot',
  ],
  [
    'numbered headings',
    [numbered('Scope', 2, 0, '<w:pStyle w:val="Heading1"/>'), numbered('Part', 2, 1, '<w:outlineLvl w:val="1"/>')],
    '# Article I Scope\n\n## 1.1 Part',
  ],
  [
    'numbers of a style',
    [
      paragraph('<w:pPr><w:pStyle w:val="Clause"/></w:pPr>', run('Scope')),
      paragraph('<w:pPr><w:pStyle w:val="Clause"/><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>', run('Part')),
    ],
    'Article I Scope\n   1.1 Part',
  ],
  [
    'Chinese numbers',
    Array.from({ length: 12 }, () => numbered('x', 3)),
    '一 二 三 四 五 六 七 八 九 十 十一 十二'
      .split(' ')
      .map((number) => `第${number}条 x`)
      .join('\n'),
  ],
  [
    'notes behind their paragraph',
    [paragraph(run('Valid'), '<w:r><w:footnoteReference w:id="2"/></w:r>', run('.')), 'Next.'],
    'Valid[1].\n\n[1] See the law.\n\nNext.',
  ],
  [
    'several notes of one paragraph',
    [paragraph(...['a', 'b'].flatMap((text) => [run(text), '<w:r><w:footnoteReference w:id="2"/></w:r>']))],
    'a[1]b[2]\n\n[1] See the law.\n\n[2] See the law.',
  ],
  [
    'text boxes, once',
    [
      paragraph(
        run('a'),
        `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${box('Box')}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box('Box')}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      ),
    ],
    'a\n\nBox',
  ],
  ['headers', ['Text', '<w:sectPr><w:headerReference r:id="header"/></w:sectPr>'], 'Manual KX-4471\n\nText'],
  [
    'accepted changes',
    [
      paragraph(
        `<w:ins>${run('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>${run('from')}</w:moveFrom><w:moveTo>${run(' to')}</w:moveTo>`,
      ),
    ],
    'new to',
  ],
  [
    'what is left out',
    [
      paragraph(
        run('a'),
        run('b', '<w:vanish/>'),
        run('c', '<w:vanish w:val="0"/>'),
        run('d', '<w:strike/>'),
        '<w:r><w:drawing><a:pic/></w:drawing></w:r>',
        '<w:r><w:object/></w:r>',
      ),
    ],
    'ac',
    [
      { kind: 'hidden_text', count: 1 },
      { kind: 'struck_text', count: 1 },
      { kind: 'picture', count: 1 },
      { kind: 'embedded_object', count: 1 },
    ],
  ],
  [
    'tables with merged cells',
    [
      `<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>${paragraph(run('Seat'))}</w:tc><w:tc>${paragraph(run('12 g'))}</w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>${paragraph()}</w:tc><w:tc>${paragraph(run('cold'))}</w:tc></w:tr><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${paragraph(run('all'))}</w:tc></w:tr></w:tbl>`,
    ],
    '| Seat | 12 g |\n| --- | --- |\n| Seat | cold |\n| all |  |',
  ],
])('reads a Word document: %s', async (_, paragraphs, text, losses = []) => {
  expect(await read('a.docx', createDocx(paragraphs, PARTS))).toEqual({ text, losses })
})

it.each(['word/document2.xml', 'word\\document.xml', 'Word/Document.xml', 'main/text.xml'])(
  'finds the main part %s',
  async (main) => {
    expect((await read('a.docx', createDocx(['Found'], [], main))).text).toBe('Found')
  },
)

const show = (lines: string[], x = 72, y = 770) =>
  `BT /F1 12 Tf 18 TL ${x} ${y} Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`
const UNEXPLAINED_FONT =
  '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 80 >> >>] >>'
const widget = (fields: string) => `<< /Type /Annot /Subtype /Widget /F 4 ${fields} >>`
const running = (number: number, ...lines: string[]) =>
  show(['Manual of pumps', ...lines]) + show([`Page ${number} of 3`], 280, 30)

it.each<[string, Uint8Array, string, object[]?]>([
  ['pages', createPdf(['First page', 'Second (page)']), 'First page\n\nSecond (page)'],
  [
    'words parted at line ends',
    createPdfOf([
      show([
        'It is docu-',
        'mented by Baden-',
        'Baden. Ein- ',
        'und Ausgabe, pre-',
        'or postpaid, well-known, well-',
        'known.',
      ]),
    ]),
    'It is documented by Baden-Baden. Ein-\nund Ausgabe, pre-\nor postpaid, well-known, well-known.',
  ],
  ['letter-spaced words', createPdfOf(['BT /F1 12 Tf 6 Tc 72 770 Td (INSPECTION REPORT) Tj ET']), 'INSPECTION REPORT'],
  [
    'sentences across pages, without running heads and numbers',
    createPdfOf([
      running(1, 'The pump must be cleaned before', 'it is'),
      running(2, 'opened. Then wait 3 hours and', 'start it. The seal is docu-'),
      running(3, 'mented.', 'The end of it.'),
    ]),
    'Manual of pumps\nThe pump must be cleaned before\nit is\nopened. Then wait 3 hours and\nstart it. The seal is documented.\nThe end of it.',
  ],
  [
    'values of forms',
    createPdfOf(
      [show(['Name:', 'Tested', 'Colour:'])],
      [
        widget('/FT /Tx /T (n) /V (Ada Miller) /Rect [220 765 400 785]'),
        widget('/FT /Btn /T (c) /V /Yes /AS /Yes /Rect [50 748 60 760] /AP << /N << /Yes 3 0 R /Off 3 0 R >> >>'),
        widget('/FT /Ch /Ff 131072 /T (o) /V (blue) /Opt [(red) (blue)] /Rect [220 730 400 745]'),
        widget('/FT /Tx /T (rent) /V (912 EUR) /Rect [72 100 400 120]'),
      ],
    ),
    'Name: Ada Miller\n☒ Tested\nColour: blue\nrent: 912 EUR',
  ],
  [
    'notes and stamps',
    createPdfOf(
      [show(['Text'])],
      [
        '<< /Type /Annot /Subtype /Text /Rect [400 700 420 720] /Contents (Check this) >>',
        '<< /Type /Annot /Subtype /FreeText /Rect [72 600 300 620] /Contents (Free) /DA (/F1 10 Tf) >>',
        '<< /Type /Annot /Subtype /Stamp /Rect [72 500 300 540] /Name /Approved >>',
      ],
    ),
    'Text\nCheck this\nFree',
    [{ kind: 'picture', count: 1, places: { unit: 'page', numbers: [1] } }],
  ],
  [
    'pages without text',
    createPdf(['Text', ' ', 'More']),
    'Text\n\nMore',
    [{ kind: 'page_without_text', count: 1, places: { unit: 'page', numbers: [2] } }],
  ],
])('reads a PDF: %s', async (_, bytes, text, losses = []) => {
  expect(await read('a.pdf', bytes)).toEqual({ text, losses })
})

it.each([
  ['scans', createPdf(['Text', ' ', ' ']), /2 of 3 pages/],
  ['no text', createPdf([' ']), /1 of 1 pages/],
  [
    'fonts that do not explain their characters',
    createPdfOf(['BT /F1 12 Tf 72 770 Td <0001000200030004> Tj ET'], [], UNEXPLAINED_FONT),
    /do not map to characters \(4 of 4\)/,
  ],
])('refuses a PDF that lost most of itself: %s', async (_, bytes, message) => {
  await expect(read('a.pdf', bytes)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(message) as string,
  })
})

const FOLDER = 'real-inputs/knowledge'
describeWith(requirements.sharedData(FOLDER))('documents that people have', () => {
  it.each([
    ['checkbox.docx', /^☒ Smoke detector tested\n\n☐ Fire door tested$/],
    ['document2.docx', /^This file was made by the online editor\.$/],
    ['fields.docx', /^Contract number KX-4471 is valid\.$/],
    ['numbered.docx', /\n1\. Open the parcel portal\.\n2\. Print the label\.\n3\. /],
    ['ruby.docx', /^会議は京都\(きょうと\)で行います。$/],
    ['softhyphen.docx', /^Reisekostenabrechnung ist/],
    ['superscript.docx', /^The tank holds 10⁶ litres at 25 m² and CO₂\.$/],
    ['form.pdf', /^Name of the tenant: Ada Miller\nMonthly rent: 912 EUR$/],
    ['hyphen.pdf', /must be documented by .* Each knowledge base article/],
    ['zh-gbkeuc.pdf', /^请假制度：员工请假须提前三天申请。年假为十五天/],
    ['zh-mixed.pdf', /^Leave policy 2024\n请假制度/],
    [
      'page.html',
      /^Pump P-200 manual\n.*\n1\. Open valve A\.\n2\. Open .*\n {2}hosts:\n {4}- alpha\n.*10⁶ litres; H₂O; 5 m².*Was 60 days/s,
    ],
  ])('%s', async (name, text) => {
    expect((await read(name, readFileSync(join(SHARED_DATA, FOLDER, name)))).text).toMatch(text)
  })

  it('nounicode.pdf is refused with its reason', async () => {
    const bytes = readFileSync(join(SHARED_DATA, FOLDER, 'nounicode.pdf'))
    await expect(read('nounicode.pdf', bytes)).rejects.toThrow(/3 of 3/)
  })
})
