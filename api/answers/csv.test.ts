import assert from 'node:assert/strict'
import { it } from 'node:test'
import { csvLine } from './csv.js'

it('writes cells that no spreadsheet takes for several cells or for a formula', () => {
  for (const [value, cell] of [
    ['Ana', 'Ana'],
    [-1, '-1'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['says "hi"\nbye', '"says ""hi""\nbye"'],
    ['=1+1', "'=1+1"],
    ['+55 11', "'+55 11"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\n=1', `"'\n=1"`],
    // Full-width signs begin a formula, too.
    ['＝1', "'＝1"],
    ['=HYPERLINK("x";"y")', `"'=HYPERLINK(""x"";""y"")"`],
  ] as const)
    assert.equal(csvLine([value, 'x']), `${cell},x\r\n`)
})
