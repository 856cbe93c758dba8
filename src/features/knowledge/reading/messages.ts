/** Texts of what a reader of files lost. */
export const readingMessages = {
  title: 'Lost while reading the file',
  encoding:
    'Read as {encoding}. If characters are wrong, save the file as UTF-8 and send it again: the API has no field for the encoding.',
  losses: {
    picture: '{n, plural, one {# picture} other {# pictures}} without a description',
    page_without_text: '{n, plural, one {# page} other {# pages}} without text, perhaps scanned',
    unreadable_character: '{n, plural, one {# character} other {# characters}} without a known meaning in the file',
    hidden_text: '{n, plural, one {# passage} other {# passages}} of hidden text',
    struck_text: '{n, plural, one {# passage} other {# passages}} of struck-out text',
    embedded_object: '{n, plural, one {# embedded object} other {# embedded objects}}, such as a chart or a frame',
    hidden_sheet: '{n, plural, one {# hidden sheet} other {# hidden sheets}} of the workbook',
    formula_without_result: '{n, plural, one {# formula} other {# formulas}} without a saved result',
    head_without_rows: 'No rows below the header: the column names became the text',
    unnamed_cell: '{n, plural, one {# row} other {# rows}} longer than the header: the extra cells have no column name',
    extra_cell: '{n, plural, one {# cell} other {# cells}} beyond the columns of the table',
    row_without_question: '{n, plural, one {# row} other {# rows}} without a question',
    row_without_answer: '{n, plural, one {# row} other {# rows}} without an answer',
    text_outside_pairs: '{n, plural, one {# line} other {# lines}} outside of questions and answers',
    other: '{n} × {kind}',
  },
  places: {
    page: '{n, plural, one {page} other {pages}} {numbers}',
    row: '{n, plural, one {row} other {rows}} {numbers}',
    line: '{n, plural, one {line} other {lines}} {numbers}',
  },
  more: '{numbers}, …',
}
